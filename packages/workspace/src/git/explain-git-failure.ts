import { WorkspaceError, type WorkspaceErrorCode } from '../workspace-error.ts';

/** A git command that ended with an exit code other than 0. */
export interface GitFailure {
  /** The work that failed, as a sentence's beginning: `Fetching owner/repo`. */
  readonly doing: string;
  /** Standard error (and, for a push, the status lines), already without secrets. */
  readonly stderr: string;
  /** The code when nothing more precise is known. */
  readonly fallback: WorkspaceErrorCode;
}

const loginRefused =
  /Authentication failed|could not read (Username|Password)|returned error: 401|terminal prompts disabled/i;

/** Tells whether a server refused the login, by what git says on standard error. */
export function isLoginRefused(stderr: string): boolean {
  return loginRefused.test(stderr);
}

/** A branch `a` beside a branch `a/b`: git's own words, and those of GitHub. */
const refConflict = /'refs\/heads\/[^']{1,999}' exists; cannot create|directory file conflict/i;

/** Checks whether a push failed because another branch makes the name impossible. */
export function isRefConflict(output: string): boolean {
  return refConflict.test(output);
}

interface Rule {
  readonly code: WorkspaceErrorCode;
  readonly pattern: RegExp;
  readonly advice: string;
}

/** In order: the first rule whose pattern is found decides. Git speaks English because LC_ALL is C. */
const rules: readonly Rule[] = [
  {
    code: 'push-rejected',
    pattern: refConflict,
    advice:
      'Another branch is in the way: git cannot have a branch and others below its name. Rename or delete that branch, or set branch_prefix. The commits are kept in the local branch.',
  },
  {
    code: 'storage-full',
    pattern: /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/i,
    advice: 'Free space on the disk that holds the workspaces, then start the task again.',
  },
  {
    code: 'push-rejected',
    pattern: /not allowed to (force )?push code to (a )?protected branch/i,
    advice: 'The branch is protected; the commits are kept in the local branch.',
  },
  {
    code: 'forbidden',
    pattern:
      /refusing to allow [^\n]{1,999} workflow [^\n]{1,999} without `?workflows?`? (permission|scope)/i,
    advice:
      'It changes files in .github/workflows, which needs more than contents: write: give the App or the fine-grained token the permission workflows: write, a classic token the scope workflow. The commits are kept in the local branch.',
  },
  {
    code: 'forbidden',
    pattern: /not allowed to (push|download) code/i,
    advice: 'The account needs the role Developer, or a higher one, in this GitLab project.',
  },
  {
    code: 'forbidden',
    pattern: /returned error: 403|Permission to \S{1,500} denied|Write access to repository not granted/i,
    advice:
      'The server refused it with 403. If this persists, the token lacks contents: write on this repository, or an organization rule or a lock forbids it.',
  },
  {
    code: 'unauthorized',
    pattern: loginRefused,
    advice: 'Set a valid token that may read and write the contents of this repository.',
  },
  {
    code: 'push-rejected',
    pattern: /branch is currently checked out/i,
    advice:
      'That branch is checked out in the repository itself: check out another one there, then start the task again. The commits are kept in the local branch.',
  },
  {
    code: 'forbidden',
    pattern: /dubious ownership/i,
    advice: 'The repository belongs to another user of this machine: run the daemon as its owner.',
  },
  {
    code: 'not-found',
    pattern: /does not appear to be a git repository/i,
    advice: 'There is no git repository at that address: check the path that the adapter gives.',
  },
  {
    code: 'not-found',
    pattern: /returned error: 30\d|redirect/i,
    advice: 'The repository seems to have moved: configure its current address, redirects are not followed.',
  },
  {
    code: 'not-found',
    pattern: /repository '?\S{1,999}'? not found|returned error: 404|Repository not found/i,
    advice: 'Check the name of the repository, and that the token may read it.',
  },
  {
    code: 'unavailable',
    pattern: /wrong version number|unexpected TLS packet|packet length too long/i,
    advice:
      'The server there does not speak TLS: if it is a plain HTTP server, its address begins with http://.',
  },
  {
    code: 'unavailable',
    pattern: /SSL certificate|certificate verif|server certificate/i,
    advice:
      'Its TLS certificate is not trusted here: set GIT_SSL_CAINFO (and NODE_EXTRA_CA_CERTS) to a file with the certificate of its authority; verification is never turned off.',
  },
  {
    code: 'push-rejected',
    pattern: /\[remote rejected\]|pre-receive hook declined|protected branch|\[rejected\]|non-fast-forward/i,
    advice: 'The server refused the push; the commits are kept in the local branch.',
  },
  {
    code: 'unavailable',
    pattern:
      /Could not resolve|Failed to connect|Couldn't connect|Connection (refused|reset|timed out)|timed out|returned error: (429|5\d\d)|early EOF|RPC failed|hung up|unexpected disconnect|Empty reply|Operation too slow|unable to access/i,
    advice: 'The server cannot be reached or is failing; the task can be tried again later.',
  },
];

/** The error that a failed git command stands for: a code, what was attempted, what to do, and what git said. */
export function explainGitFailure({ doing, stderr, fallback }: GitFailure): WorkspaceError {
  const rule = rules.find(({ pattern }) => pattern.test(stderr));
  // A person may change the rules of a server, so that the same push is worth another try.
  const refused = rule?.code === 'push-rejected' ? findServerRules(stderr) : '';
  const advice =
    (refused && `The server refused the push: ${refused} The commits are kept in the local branch.`) ||
    (rule?.advice ?? 'See what git said; removing the task’s workspace and starting again may help.');
  return new WorkspaceError(`${doing} failed. ${advice} ${quote(stderr)}`.trim(), {
    code: refused === '' ? (rule?.code ?? fallback) : 'forbidden',
  });
}

const maxRuleChars = 300;

/**
 * Names the rules for which a server refused a push: GitHub lists those of rulesets (GH013) and of protected branches
 * (GH006), and GitLab puts its name before its push rules. Empty where it names none.
 *
 * @see https://github.com/henne49/dbus-opendtu/issues/235
 * @see https://docs.gitlab.com/user/project/repository/push_rules/
 */
function findServerRules(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^remote:/u, '').trim());
  const named = lines.flatMap((line, index) => {
    const before = lines.slice(0, index);
    const gitHub = before.some((one) => /\bGH\d{3}:/u.test(one))
      ? /^(?:- |error: (?!GH\d{3}))(.+)$/u.exec(line)
      : null;
    const text = gitHub?.[1] ?? /^GitLab: (.+)$/u.exec(line)?.[1];
    return text === undefined || /^failed to push/u.test(text) ? [] : [text];
  });
  const text = [...new Set(named)].join(' ');
  return text.length > maxRuleChars ? `${text.slice(0, maxRuleChars)}…` : text;
}

function quote(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const text = lines.slice(-6).join(' | ');
  return text === '' ? '' : `(git: ${text.length > 800 ? `${text.slice(0, 800)}…` : text})`;
}
