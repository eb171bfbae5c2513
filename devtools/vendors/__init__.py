"""What single providers document otherwise than the owner of a format: `make vendors` writes `specs/documented`."""
