export const en = {
  title: 'Members',
}
