"""What becomes of objects wherever they go: metrics, loaders, copies to the device."""
