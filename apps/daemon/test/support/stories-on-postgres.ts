/**
 * Stories of `test/e2e`, by file, that `npm run test:full` tells once more with runs in a real PostgreSQL. Of what they try on several
 * forges, models or refusals they take samples there, as `npm test` does in files.
 */
export const storiesOnPostgres: readonly string[] = [
  'control',
  'issue',
  'outbox',
  'retry',
  'run-life',
  'used-up-budget',
];

/**
 * Stories that `npm run test:release` alone tells on PostgreSQL, too: what differs there (queue, leases, signals, recovery) is in those above,
 * and the contract of the storages compares the rest.
 */
export const storiesOnPostgresInRelease: readonly string[] = [
  'comments',
  'comments-at-every-moment',
  'comments-at-the-end',
  'decisions',
  'end-in-log',
  'final-summary',
  'held-changes',
  'http',
  'inheritance',
  'left-runs',
  'model-away',
  'one-comment',
  'outage',
  'outcomes',
  'page',
  'page-in-browser',
  'patterns',
  'planning',
  'planning-goes-on',
  'planning-partial',
  'planning-waits',
  'pre-planning',
  'pre-planning-accounting',
  'pre-planning-shutdown',
  'pull-request',
  'reload',
  'second-run',
  'stop-at-once',
  'triggers',
  'trouble',
  'webhooks',
];

const aboutFiles = 'is about files or the directory that holds them';
const aboutDatabase = 'has a database of its own';
const beforeRuns = 'is about what happens before or beside runs';
const oneOwner = 'goes through the stations of one daemon that alone has a directory';
const sameRecord = 'differs by what is said or done, and keeps what a story does that is told on both';

/** The other stories, each with the reason why they are told in files alone. */
export const storiesInFiles: Readonly<Record<string, string>> = {
  ...reasonOf(aboutFiles, [
    'job-time-limit',
    'jobs',
    'lost-record',
    'names',
    'observe',
    'one-place-gone',
    'one-thread',
    'owner',
    'pictures',
    'record-files',
    'secrets-at-rest',
    'two-directories',
  ]),
  ...reasonOf(aboutDatabase, [
    'database-commands',
    'erase-person',
    'many-processes',
    'storage-migrate',
    'work-moves',
  ]),
  ...reasonOf(beforeRuns, [
    'branch-in-the-way',
    'platform-away',
    'queue',
    'rehearsal-shapes',
    'slow-platform',
    'agent-at-start',
    'bad-comments',
    'command-line',
    'custom-platform',
    'environment',
    'mcp',
    'metrics',
    'sandbox',
    'signed-commits',
    'submodules',
    'terminal',
    'traces',
  ]),
  ...reasonOf(oneOwner, ['walk']),
  ...reasonOf(sameRecord, [
    'notification-keys',
    ...[
      'agent',
      'agent-life',
      'authority',
      'code-as-it-is',
      'compression',
      'endless-text',
      'internal-notes',
      'long-answer',
      'long-comments',
      'long-thread-memory',
      'model-conformance',
    ],
    ...[
      'late-lists',
      'fault-model-kills',
      'fault-model-readings',
      'fault-model-refusals',
      'moved-repository',
      'guarded-branches',
      'platform-trouble',
      'refused-push',
      'renamed-base',
      'pre-planning-crashes',
      'pre-planning-interrupted',
    ],
    ...[
      'pre-planning-limits',
      'pre-planning-rejected',
      'pre-planning-unruly-tools',
      'pre-planning-untrusted',
    ],
    ...['reactions', 'refused-threads', 'secrets-in-changes', 'signals-of-people'],
    ...['untrusted-text', 'conversation-continues'],
  ]),
};

function reasonOf(reason: string, stories: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(stories.map((story) => [story, reason]));
}
