"""From the files that users have to answers: readers, alignment, what is missing."""
