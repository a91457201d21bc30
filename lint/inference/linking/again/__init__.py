"""What an edit can have changed of what an earlier run has found out."""
