/** What one upload to a signed address may bring. A store that judges no size of its own (S3) takes more. */
export const UPLOAD_BYTES_MAX = 8 * 1024 * 1024
