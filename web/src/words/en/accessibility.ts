export const en = {
  title: 'Accessibility',
  about: 'This office is for everyone. What helps, and where to report what does not.',
  facts: [
    'Everything works by keyboard alone. On the plan, arrows go from room to room, Tab to the people inside.',
    'The plan is a list as well, with the same names and actions, for screen readers and for those who prefer one.',
    'Text may be twice as large. Colours follow your device, in the light, in the dark and with high contrast.',
    'No state is told by colour or by sound alone. Rooms have captions where the office offers them.',
  ],
  onThisDevice: 'On this device',
  lessMotion: 'Less motion',
  theme: 'Colours',
  themes: { system: 'As the device', light: 'Light', dark: 'Dark' },
  barrier:
    'Something stands in your way? Tell the people who run this office: it is a defect, and can be mended.',
  back: 'To the office',
}
