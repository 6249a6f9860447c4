/** Checks of `agent-daemon rehearse`, in the order in which they are made. */
export const repositoryChecks = [
  'access',
  'model',
  'person',
  'single',
  'labels',
  'start',
  'comment',
  'fresh-list',
  'reaction',
  'edit',
  'deletion',
  'pages',
  'conditional',
  'rate-limit',
  'clock',
  'pause',
  'resume',
  'crash',
  'draft',
  'review',
  'stop',
  'report',
  'webhook',
  'clean-up',
] as const;

/** Check of `agent-daemon rehearse`. */
export type RepositoryCheck = (typeof repositoryChecks)[number];

/** Checks of `agent-discord rehearse`, in the order in which they are made. */
export const serverChecks = [
  'token',
  'intents',
  'gateway',
  'channel',
  'permissions',
  'model-name',
  'model',
  'clock',
  'start',
  'mention',
  'fresh-list',
  'reaction',
  'thread',
  'conversation',
  'edit',
  'deletion',
  'queue',
  'crash',
  'long-answer',
  'rate-limit',
  'report',
  'clean-up',
] as const;

/** Check of `agent-discord rehearse`. */
export type ServerCheck = (typeof serverChecks)[number];

/** Names of all checks that `rehearsal.json` can contain. */
export const checkNames: readonly (RepositoryCheck | ServerCheck)[] = [
  ...new Set([...repositoryChecks, ...serverChecks]),
];
