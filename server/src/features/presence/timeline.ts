/** A time in which a member is in a meeting: RFC 3339. The end is not part of it. */
export interface Meeting {
  start: string
  end: string
}

/** By where they were read. */
export type MeetingTimes = Readonly<Record<string, readonly Meeting[]>>

/** When the meeting at a moment ends, with all that follow it without a break; null: there is none. */
export function meetingEnd(times: MeetingTimes, now: Date): Date | null {
  const meetings = Object.values(times).flat()
  let end = now.getTime()
  for (;;) {
    const later = meetings
      .filter(({ start }) => Date.parse(start) <= end)
      .reduce((latest, meeting) => Math.max(latest, Date.parse(meeting.end)), end)
    if (later === end) return end === now.getTime() ? null : new Date(end)
    end = later
  }
}

/** When a meeting begins or ends next; null: no more. */
export function nextChange(times: MeetingTimes, now: Date): Date | null {
  const end = meetingEnd(times, now)
  if (end) return end
  const starts = Object.values(times)
    .flat()
    .filter((meeting) => Date.parse(meeting.start) > now.getTime() && meeting.end > meeting.start)
    .map(({ start }) => Date.parse(start))
  return starts.length === 0 ? null : new Date(Math.min(...starts))
}
