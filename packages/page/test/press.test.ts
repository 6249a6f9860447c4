import { expect, it } from 'vitest';
import { createPress } from '../client/create-press.ts';

function begin() {
  const target = new EventTarget();
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  let time = 0;
  const press = createPress({ target, later: (run, ms) => void timers.push({ at: time + ms, run }) });
  let shown = 0;
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    say: (name: string, about: object = {}) => target.dispatchEvent(Object.assign(new Event(name), about)),
    pass: (milliseconds: number) => {
      time += milliseconds;
      for (const { at, run } of timers.splice(0)) {
        if (at <= time) run();
        else timers.push({ at, run });
      }
      return settle();
    },
    /** Brings the page up to date as soon as it may be. */
    show: () => {
      void press.released().then(() => {
        shown += 1;
      });
      return settle();
    },
    shown: () => shown,
  };
}

it('replaces nothing between the press of a pointer and its click [NX-367]', async () => {
  const page = begin();
  await page.show();
  expect(page.shown()).toBe(1);
  page.say('pointerdown');
  await page.show();
  page.say('pointerup');
  expect(page.shown()).toBe(1);
  page.say('click');
  await page.pass(0);
  expect(page.shown()).toBe(2);
});

it('goes on where a press became something else than a click [NX-367]', async () => {
  const page = begin();
  for (const name of ['pointercancel', 'dragend', 'blur']) {
    page.say('pointerdown');
    await page.show();
    const before = page.shown();
    page.say(name);
    await page.pass(0);
    expect(page.shown()).toBe(before + 1);
  }
});

it('replaces nothing while space presses a button; other keys do not hold it [NX-367]', async () => {
  const page = begin();
  page.say('keydown', { key: 'j' });
  await page.show();
  expect(page.shown()).toBe(1);
  page.say('keydown', { key: ' ' });
  await page.show();
  expect(page.shown()).toBe(1);
  page.say('keyup', { key: ' ' });
  await page.pass(0);
  expect(page.shown()).toBe(2);
});

it('replaces nothing while a form is on its way, and goes on where that led nowhere [NX-367]', async () => {
  const page = begin();
  page.say('pointerdown');
  page.say('pointerup');
  page.say('submit');
  await page.show();
  await page.pass(0);
  expect(page.shown()).toBe(0);
  await page.pass(10_000);
  expect(page.shown()).toBe(1);
  page.say('submit');
  await page.show();
  page.say('pageshow');
  await page.pass(0);
  expect(page.shown()).toBe(2);
});
