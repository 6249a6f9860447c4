import type { ModelMessage } from 'ai';

/** Remembers, per tool, how often it failed since it last succeeded. */
export class ToolFailures {
  readonly #counts = new Map<string, number>();

  /** Learns from a tool's message; every other message says nothing. */
  record(message: ModelMessage): void {
    if (message.role !== 'tool') return;
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const failed = part.output.type === 'error-text' || part.output.type === 'error-json';
      this.#counts.set(part.toolName, failed ? this.count(part.toolName) + 1 : 0);
    }
  }

  count(tool: string): number {
    return this.#counts.get(tool) ?? 0;
  }
}
