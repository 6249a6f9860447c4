import { randomUUID } from 'node:crypto';

export interface CommandEnvironment {
  /** PATH of the command. */
  readonly path: string;
  /** Private directory that stands for the user's home. */
  readonly home: string;
  /** Variables that the configuration passes on. */
  readonly extra: Readonly<Record<string, string>>;
  /** Marks every process of the call, so that what outlives it can be found. */
  readonly mark: string;
}

/** The variable that holds the mark. */
export const markVariable = 'AGENT_COMMAND_ID';

/** How the directories begin that stand for a command's home: what a killed process left of them can be removed. */
export const homePrefix = '.agent-home-';

/** A mark for one call of an owner's. */
export function createMark(owner: string, name: string = randomUUID()): string {
  return `${owner}/${name}`;
}

/** The whole environment of a command: nothing of the daemon's own but PATH, and no secret. */
export function commandEnvironment({ path, home, extra, mark }: CommandEnvironment): Record<string, string> {
  return {
    ...extra,
    PATH: path,
    HOME: home,
    TMPDIR: `${home}/tmp`,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    [markVariable]: mark,
  };
}
