/**
 * Stories of `test/e2e`, by file, that are told with runs in a real PostgreSQL as well as in files: the first one in `npm test`, all in
 * `npm run test:full`. Of what they try on several forges, models or refusals they take samples there, as `npm test` does in files.
 */
export const storiesOnPostgres = {
  always: ['issue'],
  inFull: [
    ...['comments', 'comments-at-every-moment', 'comments-at-the-end', 'control', 'final-summary', 'http'],
    ...[
      'inheritance',
      'left-runs',
      'model-away',
      'one-comment',
      'outage',
      'outbox',
      'page',
      'page-in-browser.full',
      'planning',
      'planning-goes-on',
      'planning-partial',
    ],
    ...['planning-waits', 'pre-planning', 'pre-planning-accounting', 'pre-planning-shutdown', 'pull-request'],
    ...['patterns', 'reload', 'retry', 'run-life', 'second-run', 'triggers', 'trouble', 'webhooks'],
  ],
};

const aboutFiles = 'is about files or the directory that holds them';
const aboutDatabase = 'has a database of its own';
const beforeRuns = 'is about what happens before or beside runs';
const oneOwner = 'goes through the stations of one daemon that alone has a directory';
const sameRecord = 'differs by what is said or done, and keeps what a story does that is told on both';

/** The other stories, each with the reason why they are told in files alone. */
export const storiesInFiles: Readonly<Record<string, string>> = {
  ...reasonOf(aboutFiles, [
    'lost-record',
    'names',
    'one-place-gone',
    'owner',
    'pictures',
    'record-files',
    'two-directories',
  ]),
  ...reasonOf(aboutDatabase, ['database-commands', 'many-processes', 'storage-migrate.full', 'work-moves']),
  ...reasonOf(beforeRuns, [
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
    ...[
      'agent',
      'agent-life',
      'authority',
      'code-as-it-is',
      'compression',
      'endless-text',
      'internal-notes',
      'long-answer',
    ],
    ...['moved-repository', 'platform-trouble', 'pre-planning-crashes.full', 'pre-planning-interrupted.full'],
    ...[
      'pre-planning-limits',
      'pre-planning-rejected',
      'pre-planning-unruly-tools',
      'pre-planning-untrusted',
    ],
    ...['reactions', 'refused-threads', 'secrets-in-changes', 'untrusted-text'],
  ]),
};

function reasonOf(reason: string, stories: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(stories.map((story) => [story, reason]));
}
