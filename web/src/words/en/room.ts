export const en = {
  title: 'Room',
}
