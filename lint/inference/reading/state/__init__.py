"""What is known while a file is read: the file, the names of a body, the frame that its functions share."""
