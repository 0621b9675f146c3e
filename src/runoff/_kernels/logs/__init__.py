"""Loops over the bytes of training logs: checksums, framing and the wire format of protocol buffers."""
