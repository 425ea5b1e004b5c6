/** What one key does in a room. They are shown beside the buttons. */
export const shortcuts = { microphone: 'm', camera: 'v', screen: 's', leave: 'l' } as const
export type ShortcutName = keyof typeof shortcuts

interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  repeat: boolean
}

/** Where keys are text, or choose: fields, open menus and dialogs. */
const TAKES_KEYS =
  'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]'

/** What a key that was pressed does; nothing with a modifier, held down, or where keys are text. */
export function shortcutOf(
  pressed: Pressed,
  focused: { closest(selector: string): unknown } | null,
): ShortcutName | undefined {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.repeat) return undefined
  if (focused?.closest(TAKES_KEYS)) return undefined
  const key = pressed.key.toLowerCase()
  return (Object.keys(shortcuts) as ShortcutName[]).find((name) => shortcuts[name] === key)
}
