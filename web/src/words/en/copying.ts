export const en = {
  copied: 'Copied',
  byHand: 'It could not be copied. Select it and copy it yourself.',
}
