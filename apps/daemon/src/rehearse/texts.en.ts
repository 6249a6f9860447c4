import type { RepositoryCheck } from '@agent/rehearsal';
import { formatCommand } from '../command-name.ts';

const daemonSaid = (warnings: string) => (warnings === '' ? '' : ` The daemon logged: ${warnings}`);

/** English texts. */
export const en = {
  titles: {
    access: 'access of the agent',
    model: 'model',
    person: 'second account',
    single: 'only rehearsal',
    labels: 'labels',
    start: 'start of the run',
    comment: 'comment during the run',
    'fresh-list': 'list of comments',
    reaction: 'reaction',
    edit: 'edited comment',
    deletion: 'deleted comment',
    pages: 'pages of lists',
    conditional: 'conditional requests',
    'rate-limit': 'rate limit headers',
    clock: 'clock',
    pause: '/pause',
    resume: '/resume',
    crash: 'crash and restart',
    draft: 'draft',
    review: 'review',
    stop: '/stop',
    report: 'report',
    webhook: 'webhook',
    'clean-up': 'clean-up',
  } satisfies Record<RepositoryCheck, string>,
  issue: {
    title: 'Agent rehearsal',
    body: [
      `\`${formatCommand('rehearse')}\` opened this issue to check this repository. At the end it closes this issue, and deletes it where the platform allows it.`,
      '',
      'Create the file `agent-rehearsal.md` in the root directory. Work in small steps, with one tool call at a time:',
      '',
      '1. Create the file with the line `# Rehearsal`.',
      '2. Read the file.',
      '3. Append the line `step 1`, then read the file again.',
      '4. Do the same for `step 2`, `step 3`, `step 4` and `step 5`, each on its own.',
      '',
      'Change no other file, and run no tests. Comments may ask for further lines: add these as well.',
    ].join('\n'),
  },
  /** Comments of the user. */
  comments: {
    stays: 'Please also add the line `mango`.',
    edited: 'Please also add the line `papaya`.',
    deleted: 'Please also add the line `durian`.',
  },
  editedComment: 'Please also add the line `guava`.',
  longWorkComment: 'Please also append the lines `step 6` to `step 30`, each with a tool call of its own.',
  reviewComment: 'Please add an exclamation mark to this line.',

  intro: (repository: string, agent: string, person: string) =>
    `Rehearsal in ${repository}. The agent is @${agent}; the user is ${person}.`,
  interactive: 'you, in the browser',
  confirm: (repository: string) =>
    `This opens an issue and a draft in ${repository}, and calls the configured model. At the end it closes both, and deletes them where the platform allows it.\nType the name of the repository to confirm: `,
  confirmNeeded: (repository: string) =>
    `Cannot ask for confirmation here. Confirm with --yes ${repository}.`,
  notAnswered: 'Not confirmed. Nothing was changed.',
  notConfirmed: (repository: string) =>
    `Not confirmed: the answer is not ${repository}. Nothing was changed.`,
  personNeeded:
    'Cannot ask you for steps in the browser here. Name the variable of a second token with --person-token-env.',
  personTokenNameInvalid:
    '--person-token-env needs the name of a variable, such as PERSON_TOKEN, and not a token. If you typed a token, revoke it: the history of the shell contains it.',
  personTokenMissing: (name: string) =>
    `The variable ${name} is not set. It holds the token of the account that plays the user.`,
  repositoryNeeded: 'Pass --repository owner/name.',
  repositoryInvalid: (name: string) =>
    `--repository: "${name}" is not the name of a repository. Write owner/name.`,
  repositoryRefused: (name: string, reason: string) =>
    `--repository ${name} does not fit the configuration: ${reason}`,
  observeElsewhere: `A rehearsal has no --observe. To see what a run would do, use "${formatCommand('run')} --observe --thread owner/name#1".`,
  platformMissing: (name: string) => `The configuration has no section platforms.${name}.`,
  platformNeeded: (names: string) =>
    `Several platforms are configured. Choose one with --platform: ${names}.`,
  noPlatform: 'The configuration has neither GitHub nor GitLab. A rehearsal needs one of them.',
  configNotWritten: (file: string, reason: string) =>
    `Cannot write ${file} (${reason}). The rehearsal writes its configuration beside yours and removes it at the end. Run it where that directory is writable.`,

  portTaken: (address: string, reason: string) =>
    `The rehearsal cannot receive webhooks on ${address} (${reason}). Stop the daemon that uses http.port, or rehearse with a configuration without http.port: comments are then found by polling.`,

  steps: {
    openIssue: (page: string, label: string) =>
      `→ Open this page, create the issue, and add the label "${label}":\n  ${page}`,
    post: (url: string, body: string) => `→ Comment on ${url}:\n  ${body}`,
    edit: (body: string) => `→ Edit the second comment that you wrote. The new text:\n  ${body}`,
    remove: '→ Delete the third comment that you wrote.',
    review: (url: string, place: string, body: string) =>
      `→ Open the changes of ${url} and comment on ${place}:\n  ${body}`,
  },
  stepNotSeen: 'The platform did not show the step in time.',

  accessPassed: (login: string) => `@${login} can read and write, and git can log in`,
  modelPassed: 'the model answers and calls tools',
  modelNotChecked: 'the doctor does not call this kind of model; the run shows whether it works',
  personPassed: (login: string) => `@${login} can write`,
  personInteractive: 'you play the user; the run shows whether your account is trusted',
  sameAccount: (login: string) => `the second token belongs to @${login}, the account of the agent`,
  personCannotWrite: (login: string) => `@${login} cannot write, so its comments give no commands`,
  alone: 'no other rehearsal is open',
  otherOpen: (url: string) => `another rehearsal is open: ${url}`,
  labelsCreated: 'labels can be created',
  taskRefused: (reason: string) => `the daemon refused the issue: ${reason}`,
  commentsNotListed: 'the server does not list the comments of a repository (HTTP 404), so no task can start',
  notStarted: (lacks: string) =>
    `no run was started, because the server lacks what the daemon needs: ${lacks}`,
  noRun: 'no run can work on this server',
  started: (seconds: string) => `the daemon found the issue and claimed it after ${seconds} s`,
  delivered: (seconds: string) => `the model received the comment after ${seconds} s`,
  listFresh: (seconds: string) => `a new comment is listed after ${seconds} s`,
  listLate: (seconds: string) => `a new comment is listed only after ${seconds} s`,
  noReactions:
    'the server has no reactions to comments (HTTP 404); the agent works without them, and does not show 👀',
  reacted: 'the agent reacts with 👀',
  editHidden: 'the edit does not change updated_at, so that only a full listing shows it',
  editDelivered: (seconds: string) => `the model received the new text after ${seconds} s`,
  stillListed: 'The deleted comment is still listed.',
  deletionDelivered: (seconds: string) =>
    `the model received the deletion after ${seconds} s (runs look for deletions when they resume and before they finish)`,
  tooFast: 'the run finished before this step',
  endedEarly: (status: string, reason: string) =>
    `the run ended before this step (${status})${reason === '' ? '' : `: ${reason}`}`,
  pagesNamed: 'a list names its next page',
  pagesMissing: 'a list of several entries with one entry per page names no next page (no Link header)',
  conditional: 'an unchanged list is answered with 304',
  notConditional: (status: number) => `an unchanged list is answered with ${status} instead of 304`,
  noEtag: 'this platform sends no ETag for comments, so each poll counts',
  rateLimit: 'answers contain the number of requests that are left',
  noRateLimit: 'answers contain no rate limit headers; rate limits may be switched off on this server',
  clockRight: 'the clocks of this machine and the platform agree',
  clockWrong: (seconds: number) => `the clocks of this machine and the platform differ by ${seconds} s`,
  noClock: 'answers contain no Date header',
  paused: 'the run paused, and its label shows it',
  resumed: 'the run resumed',
  noRecord: 'the run has no record yet',
  commandRefused: 'the daemon ignored the command: the account is not trusted',
  recovered: (seconds: string) => `killed and started again; the same run continued after ${seconds} s`,
  statusComments: (count: number) =>
    `after the restart the issue has ${count} status comments instead of one`,
  draftOpened: (url: string) => `draft opened: ${url}`,
  notDraft: (url: string) => `${url} is open, but not as a draft`,
  endedWithoutDraft: (status: string, reason: string) =>
    `the run ended without a draft (${status})${reason === '' ? '' : `: ${reason}`}`,
  nothingToReview: 'the draft changes no line that can be commented on',
  reviewAnswered: (seconds: string) => `the agent answered the comment on a line after ${seconds} s`,
  stopped: (seconds: string) => `the run stopped ${seconds} s after the comment, between two steps`,
  stoppedInStep: (seconds: string) =>
    `the run stopped ${seconds} s after the comment, in the middle of a step`,
  stoppedLate: (seconds: string) => `the run stopped only ${seconds} s after the comment`,
  deliveredTwice: (count: number) => `the model received ${count} comments more than once`,
  postedTwice: 'the agent posted the same comment twice',
  reported: (count: number) => `each comment was delivered once; the agent wrote ${count} comments`,
  noWebhook: 'no webhook is configured; comments are found by polling',
  webhookArrived: 'a webhook arrived',
  webhookMissing: 'no webhook arrived',
  webhookRefused: 'a webhook arrived, but its secret is not that of the daemon',
  daemonExited: (problem: string) => `the daemon exited: ${problem}`,
  nothingSeen: (seconds: number, warnings: string) =>
    `nothing happened for ${seconds} s.${daemonSaid(warnings)}`,
  notReached: 'not reached',
  interrupted: 'Interrupted. Removing what the rehearsal created; press Ctrl-C again to exit at once.',

  interruptedKept: 'Interrupted. Nothing is removed, because of --keep.',
  limited: (seconds: number) =>
    `The platform limits requests. The clean-up continues in ${seconds} s; press Ctrl-C again to exit at once.`,

  abandoned: 'Exited at once. Not removed:',
  abandonedRemoved: (paths: string) => `Removed files of an earlier rehearsal that was killed: ${paths}`,
  removed: 'everything is removed',
  nothingCreated: 'nothing was created',
  keptReason: '--keep',
  kept: 'nothing was removed, because of --keep',
  leftCount: (count: number) => `${count} ${count === 1 ? 'item stays' : 'items stay'}`,
  leftTitle: 'Not removed:',
  left: {
    issue: (number: number) => `issue #${number}`,
    possibleIssue: 'the issue of the rehearsal, if it was created',
    request: (number: number) => `pull or merge request ${number}`,
    closed: (what: string) => `${what} (closed)`,
    comments: (what: string) => `comments on ${what}`,
    branch: (name: string) => `branch ${name}`,
    anyBranch: (prefix: string) => `the branch of the run, if it was pushed: it begins with ${prefix}`,
    label: (name: string) => `label "${name}"`,
    possibleLabel: (name: string) => `label "${name}", if it was created`,
  },
  summary: (passed: number, failed: number, notSupported: number) =>
    `${passed} passed, ${failed} failed, ${notSupported} not supported`,
  outputInvalid: (path: string) =>
    `Cannot write into ${path}. Choose an existing directory that is writable with --output. Nothing was changed.`,
  notWritten: (reason: string) => `Could not write rehearsal.json: ${reason}`,
  written: (path: string) =>
    `Written to ${path}, without texts, names, addresses and tokens. Attach it to an issue.`,

  fixes: {
    access: `Run "${formatCommand('doctor')}" for all details.`,
    model: 'Choose a model that calls tools, and check llm.base_url and the key.',
    person: 'Use the token of another account that has write access to the repository.',
    single: 'Wait until it is finished, or close that issue if its rehearsal was killed.',
    labels: 'Give the token of the agent the permission to write issues.',
    start:
      'Check that the account that adds the label is trusted, and that the token of the agent can write issues.',
    comment: 'Check that the token of the agent can read comments of issues.',
    'fresh-list':
      'Ask the operator of the server about replication delay. The daemon polls again, so comments arrive late but are not lost.',
    reaction:
      'Give the token of the agent the permission to write issues. Without it only the reaction is missing.',
    edit: 'Without updated_at, set up a webhook, or ask users to write a new comment instead of an edit.',
    deletion: 'Without this, a deleted comment remains in the conversation of a run.',
    pages: 'A proxy may remove the header Link. Configure it to pass headers of answers.',
    conditional: 'A proxy may remove the header ETag or If-None-Match. Configure it to pass both.',
    'rate-limit': 'Set request_budgets in the section of the platform.',
    clock: 'Set the clock of this machine with NTP.',
    pause: 'Check trust in the configuration, and that pause_resume.enabled is true.',
    resume: 'Check trust in the configuration.',
    crash: 'Check that context_storage.base_dir is on a disk that survives a restart.',
    draft:
      'Check that the token of the agent can push branches and open pull requests, and that no rule protects the branches of branch_prefix.',
    review: 'Check that the token of the agent can write pull requests.',
    stop: 'Check trust in the configuration, and that task_stop.enabled is true. If the run stops late, check the delay of lists of comments, or set up a webhook.',
    report: `Attach rehearsal.json to an issue.`,
    webhook:
      'Check the address, the secret and the events in the settings of the webhook, and its recent deliveries.',
    'clean-up': 'Remove what is listed below.',
  } satisfies Record<RepositoryCheck, string>,
  /** Instructions for causes that say more than the check that failed. */
  fixesByCause: {
    notStarted:
      'Set base_url to a server that answers these requests. If a proxy is in front of it, let them through.',
    tooFast: 'Repeat the rehearsal, or choose a model that works in more and smaller steps.',
    ended:
      'Fix the reason that the run gives, and repeat the rehearsal. The comments on the issue contain details.',
    endedWithoutDraft:
      'Fix the reason that the run gives. For a limit, raise it in limits. If a push or pull request was refused, check the permissions of the token and the rules for branches of branch_prefix.',
    daemonExited: `Fix the reason that the daemon gives. "${formatCommand('run')}" with the same configuration shows its whole log.`,
  },
  /** Instructions where a check is not supported. */
  fixesNotSupported: {
    'rate-limit': 'Set request_budgets in the section of the platform if requests are limited.',
    webhook: 'To deliver comments at once, set http.port and the secret of the webhook.',
    'clean-up': 'Remove what is listed below, or ask an owner of the repository.',
  } as Partial<Record<RepositoryCheck, string>>,
};

/** Texts of `rehearse` in one language. */
export type RehearsalTexts = typeof en;
