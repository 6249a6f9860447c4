import { devNull } from 'node:os';

/**
 * What git is told about its surroundings: nothing of the user's own configuration, identity or current repository,
 * so that the simulator behaves alike on every machine, as root and as an ordinary user.
 * @see https://git-scm.com/docs/git#_environment_variables
 */
export function gitEnvironment(home: string): Record<string, string> {
  return {
    // The only thing taken from outside: where the git program is.
    PATH: process.env.PATH ?? '',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  };
}
