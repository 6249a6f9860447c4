/** What a host is told: a command line of the daemon, and the environment to carry it out in. */
export interface HostedCommand {
  readonly commandLine: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Ends what a command printed, on each of the two streams; nothing that the daemon prints contains it. */
export const endOfOutput = '\u0004';
