export const en = {
  title: 'Health of the office',
}
