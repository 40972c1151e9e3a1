import { unpackedText } from "./blocks";
import { EmbeddedSource } from "./embedded";
import { ServedSource } from "./served";
import { checked, type Source } from "./source";

export async function openSource(): Promise<Source> {
  const embedded = document.getElementById("saltus-manifest");
  if (embedded) return new EmbeddedSource(checked(JSON.parse(await textOf(embedded))));
  return ServedSource.open();
}

// A long manifest is packed, as blocks are.
function textOf(element: HTMLElement): string | Promise<string> {
  const text = element.textContent ?? "";
  return element.getAttribute("type") === "application/json" ? text : unpackedText(text);
}
