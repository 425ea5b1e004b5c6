import type { MediaConfig } from '../../../configuration/config-realtime.ts'
import type { OfficeFacts } from '../../../features/reference/describe-office.ts'
import { serveReference } from '../../../features/reference/routes.ts'
import type { Opening, Part } from '../../part.ts'
import type { Web } from './web.ts'

export interface Reference extends Part {
  needs: { office: OfficeFacts }
}

/** What runs here, and the reference of its interface. */
export function openReference(
  { config: { environment, officeName, media, baseUrl, broker } }: Opening,
  { web }: { web: Web },
): Reference {
  return {
    needs: { office: { name: officeName, environment, media: mediaIn(media) } },
    routes: (server) => {
      const { sendPage } = web
      return serveReference(server, { environment, baseUrl, brokerUrl: broker.publicUrl, sendPage })
    },
  }
}

function mediaIn(media: MediaConfig | undefined): OfficeFacts['media'] {
  if (media && !media.sandbox) return 'livekit'
  return media?.embedded ? 'embedded' : 'none'
}
