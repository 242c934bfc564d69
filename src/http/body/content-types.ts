// The content type of values as bytes, on their way in and out.

export const OCTETS = 'application/octet-stream'
