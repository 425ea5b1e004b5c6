export const en = {
  title: 'Chat',
}
