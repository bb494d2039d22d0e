"""Terminologies that scoring needs: ICD-10 with its levels, and names of diseases."""
