import { plainPage } from '../../platform/http/plain-page.ts'
import { VERSION } from '../../platform/version.ts'

/** The small page at `/`: what runs here, and where to go on. No script, nothing from elsewhere. */
export function renderFrontPage(office: { environment: string }): string {
  const inDevelopment = office.environment !== 'production'
  const links = [
    ['/docs', 'Reference', 'Every operation, with shapes and a console to try them'],
    ['/openapi.json', 'OpenAPI 3.1', 'The same for programs'],
    ['/asyncapi.json', 'AsyncAPI 3', 'Events of the realtime connection, for programs'],
    ...(inDevelopment
      ? [['/sandbox/sign-in', 'Sign in', 'Every way in, tried in this browser without an account anywhere']]
      : []),
    ...(inDevelopment
      ? [
          [
            '/sandbox/calendar',
            'Calendars',
            'Connected to stand-ins of both providers, with a week of meetings',
          ],
        ]
      : []),
    ...(inDevelopment ? [['/sandbox/mail', 'Mailbox', 'Every mail that this office would have sent']] : []),
    ['/health/ready', 'Health', 'Whether all parts are there'],
  ]
  const items = links.map(
    ([href, name, about]) => `<li><a href="${href}"><strong>${name}</strong><span>${about}</span></a></li>`,
  )
  return plainPage({
    title: 'Atrium',
    style: STYLE,
    body: `<main>
<h1>Atrium</h1>
<p>The backend of a virtual office. Version ${VERSION}, ${office.environment}.</p>
<ul>${items.join('')}</ul>
</main>`,
  })
}

const STYLE = `
main{max-width:38rem;margin:12vh auto;padding:0 1.25rem}
h1{font-size:2.25rem;margin:0 0 .25rem}p{margin:0 0 2rem}
ul{list-style:none;padding:0;margin:0;border-top:1px solid var(--line)}li{border-bottom:1px solid var(--line)}
a{display:flex;gap:1rem;padding:.9rem .25rem;color:inherit;text-decoration:none}
a:hover strong,a:focus-visible strong{text-decoration:underline}strong{color:var(--accent);min-width:8rem}span{color:var(--soft)}
`
