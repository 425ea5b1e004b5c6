export const en = {
  title: 'Your call',
  inside: (room: string): string => `You are in ${room}`,
  recording: 'This room is being recorded.',
  reconnecting: 'Connection lost. Reconnecting …',
  back: 'Back',
  backToRoom: 'Back to the room',
  mute: 'Mute',
  unmute: 'Unmute',
  leave: 'Leave',
  ended: (room: string): string => `You are no longer in ${room}`,
}
