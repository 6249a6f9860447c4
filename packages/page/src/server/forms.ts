import type { Context } from 'hono';

/** Fields of a form by name; null for a body that is none. */
export async function readForm(context: Context): Promise<URLSearchParams | null> {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return null;
  return new URLSearchParams(await context.req.text());
}

/** Obeys each form once: whoever sends it again gets the answer of the first time, unless that says that nothing was tried. */
export interface FormOnce {
  readonly run: <T>(
    key: string,
    obey: () => Promise<T>,
    options: { readonly isTried: (answer: T) => boolean },
  ) => Promise<T>;
}

const MOST_REMEMBERED = 1000;

/** Creates one that remembers the last 1,000 forms. One that failed is forgotten, so that it can be sent again. */
export function createFormOnce(): FormOnce {
  const answers = new Map<string, Promise<unknown>>();
  return {
    run: <T>(
      key: string,
      obey: () => Promise<T>,
      { isTried }: { readonly isTried: (answer: T) => boolean },
    ): Promise<T> => {
      const known = answers.get(key) as Promise<T> | undefined;
      if (known !== undefined) return known;
      const answer = obey();
      answers.set(key, answer);
      const forget = () => void answers.delete(key);
      answer.then((given) => (isTried(given) ? null : forget()), forget);
      const oldest = answers.keys().next();
      if (answers.size > MOST_REMEMBERED && oldest.done !== true) answers.delete(oldest.value);
      return answer;
    },
  };
}
