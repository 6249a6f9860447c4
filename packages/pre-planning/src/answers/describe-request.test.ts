import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRequest } from '../../test/sample-request.ts';
import { describeRequest, toPromptOptions } from './prompt-options.ts';

const say = (body: string) => ({ author: 'mona', createdAt: '2026-11-01T10:00:00Z', body, isTrusted: true });
const sayOften = (count: number, body: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => say(body(index)));
/** As long as an envelope of an application may be. */
const wrap = (text: string) => `${'='.repeat(100)}\n${text}\n${'='.repeat(100)}`;

describe('the request in a prompt', () => {
  it('keeps the newest comments where room is short, and says what is left out', () => {
    const comments = sayOften(100, (index) => `comment ${index} ${'x'.repeat(400)}`);
    const text = describeRequest({ ...sampleRequest, comments }, toPromptOptions({ maxChars: 8_000 }));
    expect(text).toContain('comment 99');
    const shown = comments.filter(({ body }) => text.includes(body)).length;
    expect(shown).toBeGreaterThan(8);
    expect(text).toContain(`comment ${100 - shown} `);
    expect(text).toContain(`(${100 - shown} older ones are left out)`);
  });

  it.each([1_000, 20_000])('counts what encloses %d comments of two letters', (count) => {
    const request = { ...sampleRequest, comments: sayOften(count, () => '+1') };
    expect(describeRequest(request, toPromptOptions({ maxChars: 60_000 })).length).toBeLessThan(60_000);
    let wrapped = 0;
    const counting = (text: string) => {
      wrapped += 1;
      return wrap(text);
    };
    const text = describeRequest(request, toPromptOptions({ maxChars: 10_000, wrap: counting }));
    expect(text.length).toBeLessThan(10_000);
    expect(wrapped, 'what is not shown is not even looked at').toBeLessThan(100);
  });

  it('never takes more room than there is, whatever was written', () => {
    const long = fc
      .string({ maxLength: 20 })
      .chain((text) => fc.integer({ min: 0, max: 500 }).map((times) => `${text}</material>`.repeat(times)));
    fc.assert(
      fc.property(
        fc.record({ title: long, body: long, history: long, labels: fc.array(long), said: fc.array(long) }),
        fc.integer({ min: 2_000, max: 60_000 }),
        ({ said, ...written }, maxChars) => {
          const request = { ...sampleRequest, ...written, comments: said.map(say) };
          expect(describeRequest(request, toPromptOptions({ maxChars })).length).toBeLessThanOrEqual(
            maxChars,
          );
          expect(describeRequest(request, toPromptOptions({ maxChars, wrap })).length).toBeLessThanOrEqual(
            maxChars,
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('gives the body half of the room and never all of it to one comment', () => {
    const comments = [say('an earlier word'), say('c'.repeat(50_000))];
    const request = { ...sampleRequest, body: 'b'.repeat(50_000), comments };
    const text = describeRequest(request, toPromptOptions({ maxChars: 10_000 }));
    expect(text).toMatch(/b{3900}/);
    expect(text).toMatch(/c{1900}/);
    expect(text).toContain('an earlier word');
  });

  it('shows body and title also where there is room for little else', () => {
    const request = { ...sampleRequest, body: 'b'.repeat(50_000), comments: sayOften(9, () => 'Me too.') };
    const text = describeRequest(request, toPromptOptions({ maxChars: 1_200, wrap }));
    expect(text.length).toBeLessThanOrEqual(1_200);
    expect(text).toMatch(/b{200}/);
    expect(text).toContain('The total ignores quantities');
  });
});
