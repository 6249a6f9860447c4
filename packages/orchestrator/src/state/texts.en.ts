import type { Notice } from './notice.ts';
import type { ProblemCause } from './service-state.ts';

/** What is wrong, and what an operator can do. `scope` names what it is about. */
interface ProblemText {
  readonly what: (scope: string) => string;
  readonly remedy: string;
}

export const en = {
  problems: {
    starting: {
      what: (scope) => `${scope} has not been polled since the start`,
      remedy: 'Nothing to do: the first poll is due within seconds.',
    },
    requests_primary: {
      what: (scope) => `The hourly request limit of ${scope} is used up`,
      remedy:
        'Nothing to do: tasks start again after the reset. A GitHub App has a higher limit than a token.',
    },
    requests_secondary: {
      what: (scope) => `${scope} asked for a break (secondary rate limit)`,
      remedy: 'Nothing to do: tasks start again when the break is over.',
    },
    content_writes: {
      what: (scope) => `The hourly limit of comments and pull requests on ${scope} is used up`,
      remedy:
        'Nothing to do: tasks start again when the limit allows it. Use several GitHub Apps for more tasks an hour.',
    },
    platform_away: {
      what: (scope) => `Cannot reach ${scope}`,
      remedy: 'Check its status page, the network and the token. Polls are retried.',
    },
    repository_away: {
      what: (scope) => `Cannot read the repository ${scope}`,
      remedy: 'Check that it exists and that the account has access, or remove it from the configuration.',
    },
    model_away: {
      what: () => 'The model endpoint does not answer',
      remedy: 'Check the endpoint. Calls are retried, and runs continue when it answers.',
    },
    model_refused: {
      what: () => 'The model endpoint refuses requests',
      remedy: 'Fix the key or the model in llm, then restart. Runs continue by themselves.',
    },
    agent_missing: {
      what: () => 'The program of the external agent cannot be started',
      remedy: 'Install it for the user of the daemon, or fix its section in the configuration.',
    },
    money_day: {
      what: (scope) => `The budget of the day is used up (${scope})`,
      remedy:
        'Tasks start again after midnight in time_zone. To continue now, raise limits.max_cost.day and reload.',
    },
    money_person: {
      what: (scope) => `The budget of ${scope} is used up`,
      remedy: 'To continue, raise limits.max_cost.person and reload.',
    },
    money_repository: {
      what: (scope) => `The budget of ${scope} is used up`,
      remedy: 'To continue, raise limits.max_cost.repository and reload.',
    },
    disk: {
      what: () => 'The disk of the runs is full or cannot be written',
      remedy: 'Free some space. Runs continue without a restart.',
    },
    disk_worktrees: {
      what: () => 'The disk of the worktrees is full or cannot be used',
      remedy: 'Free some space. Runs continue without a restart.',
    },
    database: {
      what: () => 'The database cannot be used',
      remedy: 'Check the database server, its disk and the connection. Runs continue without a restart.',
    },
    paused_all: {
      what: () => 'Everything is paused',
      remedy: 'To continue, run: agent-daemon resume',
    },
    no_poller: {
      what: () => 'No process polls for tasks',
      remedy: 'Start a process with --role poll or without a role. New tasks and comments wait.',
    },
    no_worker: {
      what: () => 'No process runs tasks',
      remedy: 'Start a process with --role work or without a role. Tasks wait in the queue.',
    },
    updates_pending: {
      what: (scope) => `Updates of ${scope} could not be published yet`,
      remedy: 'They are retried. To discard them, run: agent-daemon settle TASK',
    },
    platform_slow: {
      what: (scope) => `Requests to ${scope} are slow`,
      remedy: 'Check its status page, then the network and the proxy. Runs take longer, and nothing is lost.',
    },
    model_slow: {
      what: () => 'Calls to the model take very long',
      remedy:
        'Check the load of the model endpoint. A call ends within llm.step_timeout_seconds and is repeated. Stop a run to free its slot.',
    },
    settings_invalid: {
      what: () => 'The changed configuration has mistakes, so the previous settings are still in use',
      remedy: 'Fix the file and reload it (SIGHUP).',
    },
    process_silent: {
      what: (scope) => `A process shows no sign of life (${scope})`,
      remedy:
        'Check the process. If several share a database, the others take over its runs after 10 to 16 seconds.',
    },
  } satisfies Readonly<Record<ProblemCause, ProblemText>> as Readonly<Record<ProblemCause, ProblemText>>,
  notices: {
    no_sandbox: {
      what: 'commands run without a sandbox and have all permissions of the daemon',
      remedy: 'Set tools.run_command.sandbox to required and install bubblewrap.',
    },
    finding: { what: 'agent-daemon doctor reports a warning', remedy: 'Run: agent-daemon doctor' },
  } as const satisfies Readonly<Record<Notice['cause'], unknown>> as Readonly<
    Record<Notice['cause'], { readonly what: string; readonly remedy: string }>
  >,
  /** Reasons why a task is queued. */
  queued: {
    held: (reason: string) => reason,
    slots: (count: number) => (count === 1 ? 'The only slot is busy' : `All ${count} slots are busy`),
    turn: 'Waiting for its turn',
  },
  /** The same of a run that was paused. */
  resumed: {
    held: (reason: string) => `Resumed. ${reason}`,
    slots: (count: number) =>
      count === 1 ? 'Resumed, the only slot is busy' : `Resumed, all ${count} slots are busy`,
    turn: 'Resumed, waiting for its turn',
  },
  /** Follows the description of a problem. */
  by: (name: string) => `by ${name}`,
};
