import { type InitializeResponse, RequestError } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { maxLineBytes } from './agent-stream.ts';
import { boundValue, toShortLine } from './clean-values.ts';
import { AgentFailure, type OpenedSession, type TurnEnd } from './executor.ts';

/** Nothing of an agent is believed to have the form that the protocol asks for. */
const initializedSchema = z.object({
  protocolVersion: z.unknown().optional(),
  agentInfo: z
    .object({ name: z.string(), version: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
  agentCapabilities: z
    .object({ loadSession: z.boolean().nullish().catch(null) })
    .loose()
    .nullish()
    .catch(null),
  authMethods: z
    .array(z.object({ name: z.string() }).catch({ name: '' }))
    .catch([])
    .default([]),
  _meta: z.record(z.string(), z.unknown()).nullish().catch(null),
});

/** Answer of an agent to `initialize`. */
export type Initialized = z.infer<typeof initializedSchema>;

/**
 * Reads what an agent says of itself.
 *
 * @throws AgentFailure where it is nothing, or the agent speaks another version
 */
export function readInitialized(answer: unknown, wanted: InitializeResponse['protocolVersion']): Initialized {
  const { data } = initializedSchema.safeParse(answer);
  if (data === undefined) throw nonsense('its answer to initialize is not an object');
  if (data.protocolVersion === wanted) return data;
  const said = toShortLine(JSON.stringify(data.protocolVersion) ?? 'none', { maxChars: 20 });
  throw new AgentFailure(`The agent speaks version ${said} of the protocol.`, {
    code: 'other-version',
    said,
  });
}

/** Reads what an agent calls itself; null where it does not say. */
export function readAgent({ agentInfo }: Initialized): OpenedSession['agent'] {
  if (agentInfo == null) return null;
  const version = agentInfo.version == null ? null : toShortLine(agentInfo.version, { maxChars: 60 });
  return { name: toShortLine(agentInfo.name, { maxChars: 60 }), version };
}

const sessionSchema = z.object({ sessionId: z.string().min(1).max(1_000) });

/** Reads the id of a session that an agent began. */
export function readSessionId(answer: unknown): string {
  const { data } = sessionSchema.safeParse(answer);
  if (data === undefined) throw nonsense('its new session has no usable id');
  return data.sessionId;
}

const turnEnds: ReadonlyMap<string, TurnEnd> = new Map([
  ['end_turn', 'done'],
  ['cancelled', 'canceled'],
  ['refusal', 'refused'],
  ['max_tokens', 'cut-off'],
  ['max_turn_requests', 'cut-off'],
]);

const stopSchema = z.object({ stopReason: z.string() });

/** Reads why a turn ended; a reason that nobody knows is none. */
export function readTurnEnd(answer: unknown): TurnEnd | AgentFailure {
  const { data } = stopSchema.safeParse(answer);
  if (data === undefined) return nonsense('it does not say why its turn ended');
  const known = turnEnds.get(data.stopReason);
  return known ?? nonsense(`its turn ended by "${toShortLine(data.stopReason, { maxChars: 60 })}"`);
}

const outcomeSchema = z.object({ outcome: z.enum(['injected', 'promptRequired']) });

/** Reads what became of a message to a running turn; null for an answer that says nothing of it. */
export function readSteeringOutcome(answer: unknown): 'injected' | 'promptRequired' | null {
  return outcomeSchema.safeParse(answer).data?.outcome ?? null;
}

/** Makes the failure of an agent whose words do not fit the protocol. */
function nonsense(said: string): AgentFailure {
  return new AgentFailure(`The agent does not follow the protocol: ${said}.`, { code: 'nonsense', said });
}

/** Code of the protocol for an agent that wants to be signed in; others use it for anything. */
const loginRequired = RequestError.authRequired().code;

/** Codes of the protocol for requests that are wrong whenever they are made. */
const wrongRequests: ReadonlySet<number> = new Set([
  ...[RequestError.invalidRequest, RequestError.methodNotFound, RequestError.invalidParams].map(
    (make) => make('').code,
  ),
]);

interface FailureOptions {
  /** True for the request for a turn: an agent that it fails for may have a model that cannot be asked now. Default false. */
  readonly isTurn?: boolean | undefined;
  /** Names of the ways to sign in that the agent offers. */
  readonly signIn: readonly string[];
}

/** Makes a failure of the agent of what a request to it was rejected with. */
export function toFailure(error: unknown, { signIn, isTurn = false }: FailureOptions): AgentFailure {
  if (AgentFailure.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const said = error instanceof RequestError ? [message, ...listDetails(error.data)].join(' ') : message;
  if (error instanceof RequestError) {
    const mayPass = isTurn && !wrongRequests.has(error.code);
    const wantsLogin = error.code === loginRequired && signIn.length > 0;
    const why = wantsLogin
      ? { code: 'needs-login' as const, said: signIn.join(', ') }
      : { code: mayPass ? ('turn-failed' as const) : ('refused' as const), said };
    return new AgentFailure(`The agent refused a request: ${said}`, { ...why, cause: error });
  }
  if (error instanceof Error && error.name === 'MessageTooLargeError')
    return nonsense(`it wrote a line of more than ${maxLineBytes} bytes`);
  return new AgentFailure(`The agent broke off: ${said}`, { code: 'ended', said, cause: error });
}

/** Says what an error carries besides its message: how to sign in, or what its model answered. */
function listDetails(data: unknown): readonly string[] {
  if (data === undefined || data === null) return [];
  return [typeof data === 'string' ? data : JSON.stringify(boundValue(data, { maxChars: 1_000 }))];
}
