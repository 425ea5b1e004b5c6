export const en = {
  title: 'Administration',
}
