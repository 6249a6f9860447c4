/**
 * Stories of `test/e2e`, by file, that `npm run test:full` tells once more with runs in a real PostgreSQL. Of what they try on several
 * forges, models or refusals they take samples there, as `npm test` does in files.
 */
export const storiesOnPostgres: readonly string[] = [
  'comments',
  'comments-at-every-moment',
  'comments-at-the-end',
  'control',
  'decisions',
  'final-summary.full',
  'held-changes',
  'http',
  'inheritance',
  'issue',
  'left-runs.full',
  'model-away',
  'one-comment.full',
  'outage.full',
  'outbox',
  'outcomes',
  'page',
  'page-in-browser.full',
  'patterns',
  'planning',
  'planning-goes-on.full',
  'planning-partial.full',
  'planning-waits.full',
  'pre-planning',
  'pre-planning-accounting.full',
  'pre-planning-shutdown.full',
  'pull-request',
  'reload',
  'retry.full',
  'run-life.full',
  'second-run.full',
  'triggers.full',
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
    'lost-record.full',
    'names.full',
    'one-place-gone',
    'owner.full',
    'pictures.full',
    'record-files',
    'secrets-at-rest.full',
    'two-directories.full',
  ]),
  ...reasonOf(aboutDatabase, [
    'database-commands',
    'many-processes.full',
    'storage-migrate.full',
    'work-moves',
  ]),
  ...reasonOf(beforeRuns, [
    'branch-in-the-way',
    'platform-away',
    'agent-at-start',
    'bad-comments.full',
    'command-line',
    'custom-platform',
    'environment.full',
    'mcp',
    'metrics',
    'sandbox',
    'signed-commits.full',
    'submodules.full',
    'terminal',
    'traces',
  ]),
  ...reasonOf(oneOwner, ['walk']),
  ...reasonOf(sameRecord, [
    'notification-keys',
    ...[
      'agent',
      'agent-life.full',
      'authority.full',
      'code-as-it-is.full',
      'compression',
      'endless-text.full',
      'internal-notes.full',
      'long-answer.full',
      'long-comments',
      'long-thread-memory.full',
      'model-conformance.full',
    ],
    ...[
      'late-lists.full',
      'fault-model-kills.full',
      'fault-model-readings.full',
      'fault-model-refusals',
      'moved-repository',
      'guarded-branches',
      'platform-trouble.full',
      'refused-push',
      'renamed-base',
      'pre-planning-crashes.full',
      'pre-planning-interrupted.full',
    ],
    ...[
      'pre-planning-limits.full',
      'pre-planning-rejected.full',
      'pre-planning-unruly-tools.full',
      'pre-planning-untrusted.full',
    ],
    ...['reactions.full', 'refused-threads.full', 'secrets-in-changes.full', 'signals-of-people.full'],
    ...['untrusted-text.full', 'conversation-continues.full'],
  ]),
};

function reasonOf(reason: string, stories: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(stories.map((story) => [story, reason]));
}
