import { escapeHtml } from '../../platform/escape-html.ts'
import type { SandboxPage } from '../sandbox-page.ts'
import type { MediaView } from './media-view.ts'

const SOURCES = ['camera', 'microphone', 'screen_share']

/**
 * The stand-in of the media server as a page for a person: no scripts, nothing loaded, everything escaped.
 * @param names of rooms, by their ids; what is left out is shown by its id
 */
export function mediaPage(
  { rooms, recordings, webhooks }: MediaView,
  names: ReadonlyMap<string, string>,
): SandboxPage {
  const nameOf = (id: string) => escapeHtml(names.get(id) ?? id)
  return {
    title: 'Media server',
    path: '/sandbox/media',
    about:
      'Stands in for LiveKit: rooms and people, to try things out. Who is moved by this page has no sound or pictures, and recordings show a test picture.',
    content: `<form method="post" action="/sandbox/media/join" class="row">
<label for="token">Join with a token</label>
<input id="token" name="token" required autocomplete="off" spellcheck="false" placeholder="from room-auth, or of a guest">
<button class="primary">Join</button>
</form>
<p>Webhooks: ${webhooks.delivered} delivered, ${webhooks.waiting} waiting, ${webhooks.lost} lost. <a href="">Look again</a></p>
<h2>Rooms</h2>
${rooms.length === 0 ? '<p class="empty">No room is open. A token for one opens it.</p>' : rooms.map((room) => renderRoom(room, nameOf(room.name))).join('\n')}
<h2>Recordings</h2>
${recordings.length === 0 ? '<p class="empty">No recording yet.</p>' : `<ul>${recordings.map((one) => renderRecording(one, nameOf(one.room))).join('')}</ul>`}`,
    style: STYLE,
  }
}

type RoomView = MediaView['rooms'][number]
type PersonView = RoomView['participants'][number]

/** @param name as HTML */
function renderRoom(room: RoomView, name: string): string {
  const people = room.participants.map((person) => renderPerson(room, person)).join('')
  return `<article>
<h3>${name}</h3>
${room.activeRecording ? '<p class="about"><b>recording</b></p>' : ''}
${people === '' ? '<p class="about">Nobody is inside.</p>' : `<ul>${people}</ul>`}
</article>`
}

function renderPerson(room: RoomView, person: PersonView): string {
  const { permission, tracks } = person
  const state = permission.recorder ? 'recorder' : permission.canPublish ? 'takes part' : 'waits'
  const hidden = { room: room.name, identity: person.identity }
  const shown = tracks
    .map(({ sid, source }) => act('unpublish', { ...hidden, trackSid: sid }, `Stop ${source}`))
    .join('')
  const more = SOURCES.filter((source) => !tracks.some((track) => track.source === source))
    .map((source) => act('publish', { ...hidden, source }, `Start ${source}`))
    .join('')
  return `<li><b>${escapeHtml(person.name || person.identity)}</b> <span class="about">${state}</span>
<div class="acts">${permission.canPublish ? shown + more : ''}${act('leave', hidden, 'Leave')}</div></li>`
}

function act(name: string, fields: Record<string, string>, label: string): string {
  const inputs = Object.entries(fields)
    .map(([field, value]) => `<input type="hidden" name="${field}" value="${escapeHtml(value)}">`)
    .join('')
  return `<form method="post" action="/sandbox/media/${name}">${inputs}<button>${escapeHtml(label)}</button></form>`
}

/** @param name of the room, as HTML */
function renderRecording({ status, file }: MediaView['recordings'][number], name: string): string {
  const label = status.replace('EGRESS_', '').replaceAll('_', ' ').toLowerCase()
  return `<li><b>${escapeHtml(label)}</b> <span class="about">${name}${file ? ` · ${escapeHtml(file)}` : ''}</span></li>`
}

const STYLE = `
h3{margin:0;font-size:1rem;overflow-wrap:anywhere}
li .about,article .about{margin:.2rem 0;color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
article{margin-top:.8rem}article ul{margin-top:.6rem;gap:.7rem}
.acts{display:flex;flex-wrap:wrap;gap:.4rem;margin-top:.3rem}
.acts form{display:block}.acts button{padding:.3rem .6rem;font-size:.85rem}
`
