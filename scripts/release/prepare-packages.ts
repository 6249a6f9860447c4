import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import type { ReleaseIdentity } from './release-identity.ts';

/** Gives each package its repository, homepage and page for bugs, and makes the links of its README absolute. */
export function preparePackages(root: string, { repository }: ReleaseIdentity): void {
  for (const { folder, manifest } of listPublishablePackages(root)) {
    const path = join(root, folder, 'package.json');
    const homepage = `${repository}/tree/main/${folder}#readme`;
    const origin = { type: 'git', url: `git+${repository}.git`, directory: folder };
    const prepared = { ...manifest, repository: origin, homepage, bugs: `${repository}/issues` };
    writeFileSync(path, `${JSON.stringify(prepared, null, 2)}\n`);
    const readme = join(root, folder, 'README.md');
    writeFileSync(readme, toAbsoluteLinks(readFileSync(readme, 'utf8'), { repository, folder }));
  }
}

/** A block of code, a link or picture with its text and its address, or a span of code; links may have code in their texts. */
const parts =
  /^```[^\n]*\n(?:(?!```)[^\n]*\n)*```|(!?)\[((?:`[^`\n]*`|[^\]`\n])*)\]\(([^()\s]+)\)|`[^`\n]+`/gm;

/**
 * Makes relative links of a document absolute: a registry shows it without the files beside it. Links inside of code stay.
 *
 * @param from where the document is: the repository, and its folder in it
 */
export function toAbsoluteLinks(
  markdown: string,
  { repository, folder }: { readonly repository: string; readonly folder: string },
): string {
  return markdown.replace(parts, (whole, bang?: string, label?: string, address?: string) => {
    if (address === undefined || /^(?:[a-z][a-z\d+.-]*:|#|\/\/)/i.test(address)) return whole;
    const path = posix.join(folder, address);
    return `${bang}[${label}](${repository}/${bang === '' ? 'blob' : 'raw'}/main/${path})`;
  });
}
