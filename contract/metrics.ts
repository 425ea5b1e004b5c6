/** One metric of `GET /metrics`. */
export interface Metric {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  /** One line. */
  help: string
  /** Labels beside `org_id`, `project` and `region`. */
  labels: readonly string[]
  /** Of an organization: carries `org_id`. */
  tenant: boolean
  /** Upper bounds of a histogram's buckets, rising; the last one, +Inf, is not named. */
  buckets?: readonly number[]
  /** What changes it. */
  updated: string
}

const refreshed = 'every METRICS_REFRESH_SECONDS'
const SECONDS_OF_A_STAY = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800] as const

/**
 * The metrics that describe the office as a whole: kept in the database, the same on every node. Where several nodes
 * are scraped, take `max without (instance)`, never a sum over nodes.
 */
export const officeMetrics = [
  {
    name: 'rtc_room_active',
    type: 'gauge',
    help: 'Rooms that are open at the media server.',
    labels: [],
    tenant: true,
    updated: 'room_started, room_finished',
  },
  {
    name: 'rtc_rooms_started_total',
    type: 'counter',
    help: 'Rooms that were opened at the media server.',
    labels: [],
    tenant: true,
    updated: 'room_started',
  },
  {
    name: 'rtc_participants_active',
    type: 'gauge',
    help: 'People in rooms: members, and guests who were admitted.',
    labels: [],
    tenant: true,
    updated: 'participant_joined, participant_left, admission of a guest',
  },
  {
    name: 'rtc_participant_sessions_total',
    type: 'counter',
    help: 'Times that somebody came into a room.',
    labels: [],
    tenant: true,
    updated: 'participant_joined, admission of a guest',
  },
  {
    name: 'rtc_participants_connected',
    type: 'gauge',
    help: 'People whose stored presence is not offline.',
    labels: [],
    tenant: true,
    updated: refreshed,
  },
  {
    name: 'rtc_tracks_active',
    type: 'gauge',
    help: 'Tracks that are published.',
    labels: ['source', 'type'],
    tenant: true,
    updated: 'track_published, track_unpublished, end of the participant',
  },
  {
    name: 'rtc_participant_lifetime_seconds',
    type: 'histogram',
    help: 'How long people stayed in a room.',
    labels: [],
    tenant: true,
    buckets: SECONDS_OF_A_STAY,
    updated: 'participant_left',
  },
  {
    name: 'rtc_room_duration_seconds',
    type: 'histogram',
    help: 'How long rooms were open.',
    labels: [],
    tenant: true,
    buckets: SECONDS_OF_A_STAY,
    updated: 'room_finished',
  },
  {
    name: 'rtc_connection_aborted_total',
    type: 'counter',
    help: 'Connections that failed while they were set up.',
    labels: ['reason'],
    tenant: true,
    updated: 'participant_connection_aborted',
  },
  {
    name: 'rtc_egress_started_total',
    type: 'counter',
    help: 'Recordings that were started.',
    labels: ['request_type'],
    tenant: true,
    updated: 'egress_started',
  },
  {
    name: 'rtc_egress_active',
    type: 'gauge',
    help: 'Recordings that run.',
    labels: [],
    tenant: true,
    updated: 'egress_started, egress_ended',
  },
  {
    name: 'rtc_egress_ended_total',
    type: 'counter',
    help: 'Recordings that ended.',
    labels: ['result', 'request_type'],
    tenant: true,
    updated: 'egress_ended',
  },
  {
    name: 'rtc_egress_duration_seconds',
    type: 'histogram',
    help: 'How long recordings were.',
    labels: [],
    tenant: true,
    buckets: SECONDS_OF_A_STAY,
    updated: 'egress_ended',
  },
  {
    name: 'rtc_egress_completed',
    type: 'gauge',
    help: 'Recordings that ended with a file in the window.',
    labels: ['window'],
    tenant: true,
    updated: refreshed,
  },
  {
    name: 'rtc_egress_total_duration_seconds',
    type: 'gauge',
    help: 'Length of all recordings that ended with a file in the window.',
    labels: ['window'],
    tenant: true,
    updated: refreshed,
  },
  {
    name: 'rtc_ingress_started_total',
    type: 'counter',
    help: 'Streams from outside that began.',
    labels: ['input_type'],
    tenant: true,
    updated: 'ingress_started',
  },
  {
    name: 'rtc_ingress_active',
    type: 'gauge',
    help: 'Streams from outside that run.',
    labels: [],
    tenant: true,
    updated: 'ingress_started, ingress_ended',
  },
  {
    name: 'rtc_ingress_ended_total',
    type: 'counter',
    help: 'Streams from outside that ended.',
    labels: ['result', 'input_type'],
    tenant: true,
    updated: 'ingress_ended',
  },
  {
    name: 'rtc_ingress_duration_seconds',
    type: 'histogram',
    help: 'How long streams from outside were.',
    labels: [],
    tenant: true,
    buckets: SECONDS_OF_A_STAY,
    updated: 'ingress_ended',
  },
  {
    name: 'rtc_unique_participants',
    type: 'gauge',
    help: 'Different members who ended a stay in a room in the window. Guests are not among them.',
    labels: ['window'],
    tenant: true,
    updated: refreshed,
  },
  {
    name: 'rtc_participant_total_online_seconds',
    type: 'gauge',
    help: 'Length of all stays in rooms that ended in the window.',
    labels: ['window'],
    tenant: true,
    updated: refreshed,
  },
  {
    name: 'rtc_org_info',
    type: 'gauge',
    help: 'Always 1: the name that belongs to an org_id.',
    labels: ['org_name'],
    tenant: true,
    updated: `first activity, then ${refreshed}`,
  },
  {
    name: 'rtc_webhook_events_total',
    type: 'counter',
    help: 'Events of the media server that were taken in; with org_id "unknown" those of rooms that are not ours.',
    labels: ['event'],
    tenant: false,
    updated: 'every event',
  },
  {
    name: 'rtc_webhook_delivery_lag_seconds',
    type: 'histogram',
    help: 'From the making of an event, in whole seconds, to its arrival here.',
    labels: [],
    tenant: false,
    buckets: [1, 2, 5, 10, 30, 60, 300],
    updated: 'every event',
  },
] as const satisfies readonly Metric[]

export type OfficeMetric = (typeof officeMetrics)[number]['name']
