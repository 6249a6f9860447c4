import type { Option } from 'commander';
import type { CliTexts } from './texts.en.ts';

/** Words of `--help` for a command, and what it takes beside `--config`. */
export interface CommandHelp {
  readonly description: string;
  /** As commander writes one, `<task>` or `[task]`, with what it is. Default none. */
  readonly argument?: readonly [form: string, description: string] | undefined;
  readonly options?: readonly Option[] | undefined;
  /** Text below the options. Default none. */
  readonly examples?: string | undefined;
}

/** Command of the command line; `program.ts` has the table of them. */
export interface CliCommand<Given = never> {
  readonly describe: (texts: CliTexts['help']) => CommandHelp;
  /**
   * Does it with what was given: the options, and the argument under its name.
   *
   * @returns the exit code
   */
  readonly run: (given: Given) => Promise<number>;
}
