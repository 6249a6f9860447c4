/** Reason why an item cannot be allowed by its number. */
type Lock = 'long' | 'binary' | 'invisible' | 'secret' | 'own';

/** Result of the repository's checks without the held files; `none`: there are no checks. */
type Checks = 'passed' | 'failed' | 'none';

/** Texts about changes that a person has to allow, in English. */
export const en = {
  heading: '## ✋ Waiting for your permission',
  section: '### ✋ Held changes',
  intro: (reads: boolean): string =>
    reads
      ? 'I did not push these changes. A user with write access can release one with a comment, for example `/allow H1`. That releases exactly the patch shown here.'
      : 'I did not push these changes. I do not read comments here, so a person has to apply them.',
  path: (path: string, rule: string) => `${path} is protected (${rule}).`,
  secret: (path: string, where: string, kind: string) => `${path}, ${where}: ${kind}.`,
  line: (line: number | null) => (line === null ? 'file name or whole file' : `line ${line}`),
  sha256: (id: string) => `SHA-256 of the match: ${id}`,
  rest: (count: number) =>
    `${count === 1 ? 'The other changed file' : `The other ${count} changed files`}, which I push with the last of the items above.`,
  checks: {
    passed: 'The other changes are pushed. The checks of the repository pass without the held files.',
    failed:
      'The other changes are held too, because the checks of the repository fail without the held files.',
    none: 'The other changes are held too, because no checks are configured that could test them without the held files.',
  } as Readonly<Record<Checks, string>>,
  locks: {
    long: 'The patch is too long to show here, so it cannot be allowed by number. Name the path in the issue, for example',
    binary:
      'The file is binary, so it cannot be shown or allowed by number. Name the path in the issue, for example',
    invisible:
      'Comments here cannot show this patch as it is: it contains invisible characters, text that is easy to overlook, or values that I leave out. So it cannot be allowed by number. Name the path in the issue, for example',
    secret:
      'The file contains a possible secret, so it cannot be allowed by number. Remove the secret first.',
    own: 'It is a secret of this service. It is never pushed.',
  } as Readonly<Record<Lock, string>>,
  beforeRun: 'and start the task again.',
  restLocked: 'This patch cannot be shown here. It is pushed with the last of the other items.',
  problem: (message: string) =>
    `The server refused the changes that were allowed: ${message} The patch below is for a person to apply.`,
  released: (name: string, path: string, by: string | null) =>
    by === null ? `${name}: ${path} was pushed.` : `${name}: ${path} was allowed by ${by} and pushed.`,
  expires: (until: string) => `I wait until ${until}. The items stay on the agent's machine until then.`,
  expired: 'No one allowed the held changes in time, so they were not pushed.',
  drafts: 'Please review these protected paths, which I pushed:',
  refused: (paths: string) =>
    `The changes contain protected paths that a person must allow: ${paths}. I did not push them.`,
};
