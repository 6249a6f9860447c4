import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCommentMarker, parseCommentMarker } from './comment-marker.ts';

describe('the marker of our own comments', () => {
  it('is hidden, and read back from the beginning of a comment only [X2]', () => {
    const marker = formatCommentMarker('final:8f14e45f');
    expect(marker).toBe('<!-- agent-comment: final:8f14e45f -->');
    expect(parseCommentMarker(`${marker}\nDone.`)).toBe('final:8f14e45f');
    expect(parseCommentMarker(`Look at this: ${marker}`)).toBeNull();
    expect(parseCommentMarker('Done.')).toBeNull();
  });

  it('reads every topic back that it accepts, and accepts none that could end the HTML comment', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '-', '>', '<', ' ', '\n', ':', '語'), maxLength: 8 }),
        (topic) => {
          try {
            expect(parseCommentMarker(`${formatCommentMarker(topic)}\nbody`)).toBe(topic);
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid' });
            expect(topic).toMatch(/^$|--|[<>\n]|^[\s-]|[\s-]$/u);
          }
        },
      ),
    );
  });
});
