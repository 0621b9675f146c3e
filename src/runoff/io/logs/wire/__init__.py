"""Bytes of logs: protocol buffers, event files, LevelDB blocks, lines."""
