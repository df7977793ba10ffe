import type { MessagePlan, PlanNode } from '../schema/plan.ts';
import { paint, type Style, type Theme } from './theme.ts';

/** Columns that a field's meaning may take, its dots included. */
const MEANING_COLUMNS = 78;
const DOTS = '...';

/** ASCII text that is printed again and again, encoded once. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Bytes that take no column: the codes of styles. */
  readonly hidden: number;
}

/** What the lines of one field have in common. */
export interface Label {
  /** `Name string`, or `Name[` for what an array holds. */
  readonly lead: Piece;
  /** `] Name string` for what an array holds, else null. */
  readonly leadEnd: Piece | null;
  /** The meaning with the space before it; empty where there is none. */
  readonly about: Piece;
  readonly aboutText: string;
}

const encoder = new TextEncoder();

/** Encodes ASCII text with the codes of its styles; `columns` is what of it shows. */
export function piece(text: string, columns: number): Piece {
  const bytes = encoder.encode(text);
  return { bytes, hidden: bytes.length - columns };
}

/** A meaning of at most `columns` columns: the rest becomes three dots. */
export function cutMeaning(text: string, columns: number): string {
  return text.length <= columns ? text : text.slice(0, columns - DOTS.length) + DOTS;
}

/** What begins the line of a field that no definition has, such as an array's length. */
export function fixedLead(name: string, type: string, theme: Theme): Piece {
  return piece(`${paint(theme.name, name)} ${paint(theme.type, type)}`, name.length + 1 + type.length);
}

/** Labels of all nodes of a plan, by id. */
export function createLabels(plan: MessagePlan, theme: Theme): Label[] {
  const elements = new Set(plan.nodes.map((node) => node.element));
  return plan.nodes.map((node) => createLabel(node, elements.has(node), node === plan.root ? theme.heading : theme.name, theme));
}

function createLabel(node: PlanNode, isElement: boolean, nameStyle: Style, theme: Theme): Label {
  const name = paint(nameStyle, node.name);
  const type = node.type === '' ? '' : ` ${paint(theme.type, node.type)}`;
  const typeColumns = node.type === '' ? 0 : node.type.length + 1;
  const aboutText = cutMeaning(node.about, MEANING_COLUMNS);
  return {
    lead: isElement ? piece(`${name}[`, node.name.length + 1) : piece(name + type, node.name.length + typeColumns),
    leadEnd: isElement ? piece(`]${type}`, typeColumns + 1) : null,
    about: aboutText === '' ? piece('', 0) : piece(` ${paint(theme.about, aboutText)}`, aboutText.length + 1),
    aboutText,
  };
}
