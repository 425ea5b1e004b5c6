import type { MediaConfig } from '../configuration/config-realtime.ts'
import type { OfficeFacts } from '../features/reference/describe-office.ts'
import { serveReference } from '../features/reference/routes.ts'
import type { Opening, Part } from './part.ts'

export interface Reference extends Part {
  needs: { office: OfficeFacts }
}

/** What runs here, and the reference of its interface. */
export function openReference({
  config: { environment, officeName, media, baseUrl, broker },
}: Opening): Reference {
  return {
    needs: { office: { name: officeName, environment, media: mediaIn(media) } },
    routes: (server) => serveReference(server, { environment, baseUrl, brokerUrl: broker.publicUrl }),
  }
}

function mediaIn(media: MediaConfig | undefined): OfficeFacts['media'] {
  if (media && !media.sandbox) return 'livekit'
  return media?.embedded ? 'embedded' : 'none'
}
