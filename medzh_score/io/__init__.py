"""Files as they are read and written: lines, sheets, documents; whole or not at all."""
