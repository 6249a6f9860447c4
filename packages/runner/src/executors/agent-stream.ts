import { setImmediate as nextRound } from 'node:timers/promises';
import { type AnyMessage, methods, ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { AgentProcess } from './start-agent.ts';

/** Longest line that is read of an agent, in bytes. */
export const maxLineBytes = 16 * 1024 * 1024;

/** Requests of an agent that may wait for their answer before no more are read. */
const maxUnanswered = 64;

const id = z.union([z.string().max(1_000), z.number(), z.null()]);
const messageSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: id.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
});

interface AgentStreamOptions {
  /** Tells whether what the agent says can be taken in now. */
  readonly hasRoom: () => boolean;
  /** Hears of what it tells of its session, unchecked: the client of the protocol would write to the terminal about what does not fit. */
  readonly onUpdate: (params: unknown) => void;
}

/**
 * Messages from and to an agent. It is read as fast as its words are used, and no faster; between two pieces of its output everything else
 * has its turn. What is no message, and answers that nobody has asked for, are left out.
 */
export class AgentStream {
  readonly stream: Stream;
  readonly #options: AgentStreamOptions;
  readonly #asked = new Set<unknown>();
  #unanswered = 0;
  #wake: () => void = () => undefined;

  constructor({ input, output }: Pick<AgentProcess, 'input' | 'output'>, options: AgentStreamOptions) {
    this.#options = options;
    const { readable, writable } = ndJsonStream(input, this.#slowDown(output), {
      maxMessageBytes: maxLineBytes,
    });
    const passing = new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        if (this.#isExpected(message)) controller.enqueue(message);
      },
    });
    this.stream = { readable: readable.pipeThrough(passing), writable: this.#watch(writable) };
  }

  /** Reads on where there is room again. */
  readOn(): void {
    this.#wake();
  }

  #slowDown(output: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = output.getReader();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      await nextRound();
      while (!this.#options.hasRoom() || this.#unanswered >= maxUnanswered)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    };
    return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
  }

  /** Takes what it tells, and lets answers and requests through. */
  #isExpected(message: unknown): boolean {
    const { data, success } = messageSchema.safeParse(message);
    if (!success) return false;
    if (data.method === undefined) return this.#asked.delete(data.id);
    if (data.id !== undefined) this.#unanswered += 1;
    else if (data.method === methods.client.session.update) this.#options.onUpdate(data.params);
    return data.id !== undefined;
  }

  #watch(writable: WritableStream<AnyMessage>): WritableStream<AnyMessage> {
    const writer = writable.getWriter();
    return new WritableStream({
      write: async (message) => {
        const isAnswer = !('method' in message);
        if (!isAnswer && 'id' in message) this.#asked.add(message.id);
        await writer.write(message);
        if (!isAnswer) return;
        this.#unanswered -= 1;
        this.#wake();
      },
    });
  }
}
