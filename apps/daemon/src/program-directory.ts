import { fileURLToPath } from 'node:url';

/** Directory of the program's package, whether its sources run or its bundle. */
export const programDirectory = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
