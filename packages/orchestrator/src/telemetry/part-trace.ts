import type { Outcome } from '@agent/run-store';
import type { CheckpointName, RunEvent } from '@agent/runner';
import {
  type Attributes,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { BoardEvent } from '../board/board-event.ts';
import { toToolName } from '../outcome/error-class.ts';
import type { TracedPart } from './run-telemetry.ts';

/** Key under which the context of a part's work holds its `PartTrace`. */
export const tracedPart = createContextKey('the part of a run that is under way');

/** Event of one run. */
type OwnEvent = Extract<BoardEvent, { readonly uuid: string }>;
type ToolEnd = Extract<RunEvent, { readonly type: 'tool-end' }>;
type ToolStart = Extract<RunEvent, { readonly type: 'tool-start' }>;

/** Phases by the checkpoint before them: a plan tells of its phase only once it has one. */
const phases: Readonly<Partial<Record<CheckpointName, string>>> = {
  before_planning: 'planning',
  before_action: 'execution',
  before_reflection: 'reflection',
  before_revision: 'revision',
  before_verification: 'verification',
};

export interface PartTraceOptions {
  readonly tracer: Tracer;
  /** True to put arguments and results of tools on their spans. */
  readonly content: boolean;
  /** Span of the part itself. */
  readonly part: Span;
}

/** Starts the span of a part, below the root of its run. */
export function startPart(
  { uuid, name, resumed }: TracedPart,
  { tracer, root }: { readonly tracer: Tracer; readonly root: Span },
): Span {
  const attributes = { 'gen_ai.conversation.id': name, 'agent.run.id': uuid, 'agent.run.resumed': resumed };
  return tracer.startSpan('carry_run', { attributes }, trace.setSpan(ROOT_CONTEXT, root));
}

/** Spans of one part of a run: its phases one after the other, and in them turns of agents and calls of tools. */
export class PartTrace {
  readonly #tracer: Tracer;
  readonly #content: boolean;
  readonly #part: Span;
  #phase: { readonly name: string; readonly span: Span } | null = null;
  #turn: Span | null = null;
  readonly #tools = new Map<string, Span>();
  #end: Extract<OwnEvent, { readonly type: 'run-end' }> | null = null;

  constructor({ tracer, content, part }: PartTraceOptions) {
    this.#tracer = tracer;
    this.#content = content;
    this.#part = part;
  }

  /** Span below which happens what happens now. */
  get current(): Span {
    return this.#turn ?? this.#phase?.span ?? this.#part;
  }

  /** Outcome with which the run ended or paused in this part; null where it did neither. */
  get outcome(): Outcome | null {
    return this.#end?.outcome ?? null;
  }

  /** Class of the failure with which the run ended in this part; null if it did not fail. */
  get errorClass(): string | null {
    return this.#end?.errorClass ?? null;
  }

  hear(event: OwnEvent): void {
    switch (event.type) {
      case 'preparation':
        if (event.stage !== null) this.#enter('pre_planning');
        else if (this.#phase?.name === 'pre_planning') this.#leave();
        return;
      case 'plan':
        this.#enter(event.stage?.phase ?? 'execution');
        return;
      case 'delivery':
        if (event.begins) this.#enter('delivery');
        else this.#leave();
        return;
      case 'comments':
        for (const { id, url } of event.comments)
          this.#part.addEvent(`comment.${event.state}`, {
            'agent.comment.id': id,
            ...(url === null ? {} : { 'agent.comment.url': url }),
          });
        return;
      case 'run-event':
        this.#hearStep(event.event);
        return;
      case 'run-end':
        this.#end = event;
        return;
      default:
        return;
    }
  }

  /** Notes that the part ended with an error. Its words stay out: they may hold anything. */
  fail(error: unknown): void {
    markFailed(this.#part, toErrorType(error));
  }

  end(): void {
    this.#leave();
    this.#part.end();
  }

  #enter(name: string): void {
    if (this.#phase?.name === name) return;
    this.#leave();
    this.#phase = { name, span: this.#start(name, { 'agent.phase.name': name }) };
  }

  #leave(): void {
    this.#endTurn();
    for (const span of this.#tools.values()) {
      markFailed(span, 'interrupted');
      span.end();
    }
    this.#tools.clear();
    this.#phase?.span.end();
    this.#phase = null;
  }

  #hearStep(event: RunEvent): void {
    if (event.type === 'checkpoint') {
      const phase = phases[event.name];
      if (phase !== undefined) this.#enter(phase);
    }
    if (event.type === 'step-start') {
      if (this.#phase === null) this.#enter('execution');
      this.#endTurn();
      if (event.by !== 'agent') return;
      const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'acp' };
      this.#turn = this.#start('invoke_agent acp', attributes);
    }
    if (event.type === 'tool-start') this.#tools.set(event.toolCallId, this.#startTool(event));
    if (event.type === 'tool-end') this.#endTool(event);
  }

  #endTurn(): void {
    this.#turn?.end();
    this.#turn = null;
  }

  #startTool({ tool, toolCallId, args }: Pick<ToolStart, 'tool' | 'toolCallId' | 'args'>): Span {
    const name = toToolName(tool);
    return this.#start(`execute_tool ${name}`, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': toolCallId,
      'gen_ai.tool.type': 'function',
      ...(this.#content ? { 'gen_ai.tool.call.arguments': JSON.stringify(args) ?? '' } : {}),
    });
  }

  #endTool(event: ToolEnd): void {
    // A call that could not be carried out has no start.
    const span = this.#tools.get(event.toolCallId) ?? this.#startTool(event);
    this.#tools.delete(event.toolCallId);
    if (this.#content) span.setAttribute('gen_ai.tool.call.result', event.output);
    if (event.status === 'error') markFailed(span, 'tool_error');
    else if (event.failure !== undefined) markFailed(span, 'work_failed');
    span.end();
  }

  #start(name: string, attributes: Attributes): Span {
    return this.#tracer.startSpan(name, { attributes }, trace.setSpan(ROOT_CONTEXT, this.current));
  }
}

/** Marks a span as one that failed, by a kind of error and without its words. */
export function markFailed(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The error of the call after which a model was not called again; any other error as it is. */
export function toOriginalError(error: unknown): unknown {
  return error instanceof Error && error.name === 'ModelUnavailable' ? (error.cause ?? error) : error;
}

/** Kind of an error: its `code`, or its name. */
function toErrorType(error: unknown): string {
  const { code, name } = (toOriginalError(error) ?? {}) as {
    readonly code?: unknown;
    readonly name?: unknown;
  };
  const type = typeof code === 'string' ? code : name;
  return typeof type === 'string' && /^\w[\w.-]{0,63}$/.test(type) ? type : '_OTHER';
}
