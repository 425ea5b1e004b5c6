import { escapeHtml } from '../../platform/escape-html.ts'
import type { MediaView } from './media-view.ts'

const SOURCES = ['camera', 'microphone', 'screen_share']

/** The stand-in of the media server as a page for a person: no scripts, nothing loaded, everything escaped. */
export function renderMedia({ rooms, recordings, webhooks }: MediaView): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>Media · Atrium sandbox</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Sandbox media server</h1>
<p>Stands in for LiveKit: rooms and people, to try things out. Who is moved by this page has no sound or pictures, and recordings show a test picture.</p>
<form method="post" action="/sandbox/media/join">
<label for="token">Join with a token</label>
<input id="token" name="token" required autocomplete="off" spellcheck="false" placeholder="from room-auth, or of a guest">
<button>Join</button>
</form>
</header>
<main>
<p class="state">Webhooks: ${webhooks.delivered} delivered, ${webhooks.waiting} waiting, ${webhooks.lost} lost. <a href="">Refresh</a></p>
<h2>Rooms</h2>
${rooms.length === 0 ? '<p class="empty">No room is open. A token for one opens it.</p>' : rooms.map(renderRoom).join('\n')}
<h2>Recordings</h2>
${recordings.length === 0 ? '<p class="empty">No recording yet.</p>' : `<ul>${recordings.map(renderRecording).join('')}</ul>`}
</main>
</body>
</html>
`
}

type RoomView = MediaView['rooms'][number]
type PersonView = RoomView['participants'][number]

function renderRoom(room: RoomView): string {
  const people = room.participants.map((person) => renderPerson(room, person)).join('')
  return `<article>
<h3>${escapeHtml(room.name)}</h3>
<p class="about">${escapeHtml(room.sid)}${room.activeRecording ? ' · <b>recording</b>' : ''}</p>
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
  return `<li><b>${escapeHtml(person.name || person.identity)}</b> <span class="about">${escapeHtml(person.identity)} · ${state}</span>
<div class="acts">${permission.canPublish ? shown + more : ''}${act('leave', hidden, 'Leave')}</div></li>`
}

function act(name: string, fields: Record<string, string>, label: string): string {
  const inputs = Object.entries(fields)
    .map(([field, value]) => `<input type="hidden" name="${field}" value="${escapeHtml(value)}">`)
    .join('')
  return `<form method="post" action="/sandbox/media/${name}">${inputs}<button>${escapeHtml(label)}</button></form>`
}

function renderRecording({ egressId, room, status, file }: MediaView['recordings'][number]): string {
  const label = status.replace('EGRESS_', '').replaceAll('_', ' ').toLowerCase()
  return `<li><b>${escapeHtml(label)}</b> <span class="about">${escapeHtml(egressId)} · ${escapeHtml(room)}${file ? ` · ${escapeHtml(file)}` : ''}</span></li>`
}

const STYLE = `
:root{color-scheme:light dark;--background:#f6f5f2;--sheet:#fff;--ink:#1f2328;--soft:#5b6169;--line:#dcd9d2;--accent:#0b5bd3}
@media (prefers-color-scheme:dark){:root{--background:#16181b;--sheet:#1f2226;--ink:#e9eaec;--soft:#a5abb3;--line:#363a40;--accent:#7fb0ff}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1rem 4rem;max-width:46rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
h1{margin:0;font-size:1.6rem}
h2{margin:2rem 0 .5rem;font-size:1.15rem}
h3{margin:0;font-size:1rem;overflow-wrap:anywhere}
header p,.state,.about{margin:.2rem 0;color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
header form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin-top:1rem}
input{flex:1 1 14rem;min-width:0}
input,button{padding:.4rem .7rem;border:1px solid var(--line);border-radius:.5rem;background:var(--sheet);color:inherit;font:inherit}
button{cursor:pointer}
header button{border-color:var(--accent);background:var(--accent);color:var(--sheet)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
ul{list-style:none;margin:.6rem 0 0;padding:0;display:grid;gap:.7rem}
.acts{display:flex;flex-wrap:wrap;gap:.4rem;margin-top:.3rem}
.acts button{font-size:.85rem}
article{margin-top:.8rem;padding:1rem;border:1px solid var(--line);border-radius:.8rem;background:var(--sheet)}
.empty{padding:1.5rem;border:1px dashed var(--line);border-radius:.8rem;text-align:center;color:var(--soft)}
`
