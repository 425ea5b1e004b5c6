import './icon.css'

/** Drawn on 24 × 24, in the colour of the text. */
const PATHS = {
  floor: 'M4 20V9l8-5 8 5v11M9 20v-6h6v6',
  chat: 'M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4.5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Z',
  calendar:
    'M5 6h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1ZM4 11h16M8 3.5V8M16 3.5V8',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.8 20c0-3.4 2.8-5.6 6.2-5.6s6.2 2.2 6.2 5.6M16 4.4a3.5 3.5 0 0 1 0 6.3M18 14.9c2 .8 3.2 2.6 3.2 5.1',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6ZM9 19.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z',
  administration: 'M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6l-7-2.5ZM9 12l2.2 2.2L15.2 10',
  search: 'M11 17.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM16 16l4.5 4.5',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  down: 'M6 9.5l6 6 6-6',
  back: 'M11 6l-6 6 6 6M5 12h14',
  enter: 'M13 6l6 6-6 6M19 12H5',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  microphone:
    'M12 14.5a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v5.500a3 3 0 0 0 3 3ZM6 11.500a6 6 0 0 0 12 0M12 17.500V21',
  'microphone-off':
    'M9 9.500V11.500a3 3 0 0 0 4.700 2.500M15 10V6a3 3 0 0 0-5.800-1M6 11.500a6 6 0 0 0 9.300 5M18 11.500c0 .8-.2 1.500-.4 2.200M12 17.500V21M4 4l16 16',
  camera: 'M4 7h10a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1ZM15 11l6-3.500v9L15 13',
  'camera-off':
    'M7 7h7a1 1 0 0 1 1 1v7M15 11l6-3.500v9l-4-2.300M13.500 17H4a1 1 0 0 1-1-1V8c0-.5.400-1 1-1M3.500 3.500l17 17',
  screen: 'M4 5h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1ZM9 20h6M12 16v4',
  record: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z',
  knock:
    'M7 20.500V4.500h8.500v16M4.500 20.500h15M12.500 12.500v.01M18.500 8.500l2-1M18.500 12h2.200M18.500 15.500l2 1',
  link: 'M10 14a4 4 0 0 0 6 .400l2.700-2.700a4 4 0 0 0-5.700-5.700L11.800 7.200M14 10a4 4 0 0 0-6-.400l-2.700 2.700a4 4 0 0 0 5.700 5.700l1.200-1.200',
  copy: 'M9 9h10v11H9ZM5 15V4h10',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l.800 12.500h8.400L17 7',
  edit: 'M5 19l1-4L16 5l3 3L9 18l-4 1Z',
  warning: 'M12 4 2.500 20h19L12 4ZM12 10v4.500M12 17.200v.01',
  info: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 11v5M12 8v.01',
  clock: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17ZM12 7.500V12l3 2',
  'sign-out': 'M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M10.500 12H21M17.500 8.500 21 12l-3.500 3.500',
  mail: 'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1ZM3.500 7l8.500 6.500L20.500 7',
  send: 'M4 12 20.500 4.500 16 19.500l-4.500-5.500L4 12ZM11.500 14l9-9.500',
  signal: 'M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15L6 16.500ZM10 20.500h4',
  guest: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM5 20.500c0-3.800 3.100-6 7-6s7 2.200 7 6',
} as const

export type IconName = keyof typeof PATHS

/** Says nothing to a screen reader: whatever carries it has a name of its own. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
