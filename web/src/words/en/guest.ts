export const en = {
  title: 'Guest',
}
