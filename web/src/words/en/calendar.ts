export const en = {
  title: 'Calendar',
}
