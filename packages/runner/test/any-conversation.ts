import type { ModelMessage } from 'ai';
import fc from 'fast-check';

/** One step: an answer with calls and all their results, one of them, or the words of one side. */
const anyTurn: fc.Arbitrary<readonly ModelMessage[]> = fc.oneof(
  fc.string().map((content) => [{ role: 'user' as const, content }]),
  fc.string().map((content) => [{ role: 'assistant' as const, content }]),
  fc
    .record({
      // Models that run locally give several calls the same id.
      ids: fc.array(fc.constantFrom('1', '2', '3'), { minLength: 1, maxLength: 4 }),
      output: fc.string({ maxLength: 200 }),
      together: fc.boolean(),
    })
    .map(({ ids, output, together }) => {
      const results = ids.map((toolCallId) => ({
        type: 'tool-result' as const,
        toolCallId,
        toolName: 'read',
        output: { type: 'text' as const, value: output },
      }));
      const calls = ids.map((toolCallId) => ({
        type: 'tool-call' as const,
        toolCallId,
        toolName: 'read',
        input: {},
      }));
      return [
        { role: 'assistant' as const, content: calls },
        ...(together
          ? [{ role: 'tool' as const, content: results }]
          : results.map((result) => ({ role: 'tool' as const, content: [result] }))),
      ];
    }),
);

/** A conversation as a run has it at a checkpoint: nothing is pending. */
export const anyConversation: fc.Arbitrary<readonly ModelMessage[]> = fc
  .array(anyTurn, { maxLength: 30 })
  .map((turns) => [{ role: 'user' as const, content: 'Mend it.' }, ...turns.flat()]);
