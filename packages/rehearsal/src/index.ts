export { Abandonment } from './abandonment.ts';
export {
  type RepositoryCheck,
  repositoryChecks,
  type ServerCheck,
  serverChecks,
} from './check-names.ts';
export { type CheckResult, CheckResults, type Verdict } from './check-results.ts';
export { cleanLine } from './clean-line.ts';
export { countResults, formatCheck, formatLeftovers, type Leftover } from './format-results.ts';
export { type CheckParts, makeCheck, RehearsalEnd } from './make-check.ts';
export { CheckFailure, checkOutputDirectory, RehearsalError } from './rehearsal-error.ts';
export { endWithParentArguments, RehearsedProcess } from './rehearsed-process.ts';
export { Relay, type RelayedRequest } from './relay.ts';
export { createTerminalPrompt, interruptedCode, listenForInterruption, type Prompt } from './terminal.ts';
export { type RehearsalClock, type WaitOptions, waitFor } from './wait-for.ts';
