// Programs of the graphics card. Nodes lie in textures (place and value, orientation, and what never changes), so that a
// new frame is two uploads and no loop of the page's own over bonds.

const common = /* glsl */ `
precision highp float;
precision highp sampler2D;
uniform sampler2D uPlace, uTurn, uFixed, uRamp;
uniform vec2 uRange;
uniform vec3 uPalette[8];
uniform vec4 uClip;
uniform vec3 uLight, uEye;
uniform float uPixel, uPaint;
vec4 fetchNode(sampler2D table, float node) {
  int k = int(node + 0.5);
  return texelFetch(table, ivec2(k % 1024, k / 1024), 0);
}
vec3 turned(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v);
}
vec3 colourOf(float value, float body) {
  if (body < -1.5) return vec3(0.72, 0.75, 0.78); // what never moves
  if (value < -9e29) return uPalette[int(mod(max(body, 0.0), 8.0) + 0.5) % 8];
  return texture(uRamp, vec2(clamp((value - uRange.x) / (uRange.y - uRange.x), 0.002, 0.998), 0.5)).rgb;
}
// Never thinner than can be seen.
float seenRadius(float radius, vec3 at) {
  return max(radius, uPixel * distance(uEye, at));
}
`;

const light = /* glsl */ `
varying vec3 vAt, vColour;
vec3 lit(vec3 colour, vec3 normal) {
  float d = dot(normal, uLight);
  float shine = pow(max(d, 0.0), 24.0);
  return colour * (0.42 + 0.62 * max(d, 0.0)) + 0.16 * shine;
}
void cutOff() {
  if (dot(vec4(vAt, 1.0), uClip) < 0.0) discard;
}
`;

// Bonds as capsules: aRing has the end (0, 1), how far along and how far out in radii; aAngle the place around. As
// ribbons that face the eye, where there are very many.
export const rodVertex = (ribbon) => /* glsl */ `${common}
attribute vec3 aRing;
attribute vec2 aAngle, aBond;
attribute float aBroken;
varying vec3 vAt, vColour, vNormal, vMark, vSide;
varying float vAcross;
void main() {
  vec4 a = fetchNode(uPlace, aBond.x), b = fetchNode(uPlace, aBond.y);
  vec4 fixedA = fetchNode(uFixed, aBond.x), fixedB = fetchNode(uFixed, aBond.y);
  vec3 along = b.xyz - a.xyz;
  float size = length(along);
  along = size > 0.0 ? along / size : vec3(0.0, 0.0, 1.0);
  bool isB = aRing.x > 0.5;
  vec3 at = isB ? b.xyz : a.xyz;
  vec4 self = isB ? fixedB : fixedA;
  vec4 turn = fetchNode(uTurn, isB ? aBond.y : aBond.x);
  float radius = seenRadius(self.x, at);
  vec3 mark = turned(turn, self.z > 0.5 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0));
  mark -= dot(mark, along) * along;
  mark = dot(mark, mark) > 1e-12 ? normalize(mark) : normalize(cross(along, vec3(0.36, 0.48, 0.8)));
  vec3 side = cross(along, mark);
${ribbon ? `
  vec3 toward = normalize(uEye - at);
  side = cross(along, toward);
  side = dot(side, side) > 1e-12 ? normalize(side) : mark;
  vec3 normal = cross(side, along);
  at += radius * (aAngle.x * side + aRing.y * along);
  vSide = side;
  vAcross = aAngle.x;` : `
  vec3 normal = aRing.z * (aAngle.x * mark + aAngle.y * side) + aRing.y * along;
  at += radius * normal;
  vSide = vec3(0.0);
  vAcross = 0.0;`}
  vAt = at;
  vNormal = normal;
  vMark = mark;
  vColour = colourOf(isB ? b.w : a.w, self.y);
  gl_Position = aBroken > 0.5 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * viewMatrix * vec4(at, 1.0); // out of sight
}`;
export const rodFragment = /* glsl */ `${common}${light}
varying vec3 vNormal, vMark, vSide;
varying float vAcross;
void main() {
  cutOff();
  vec3 normal = normalize(vNormal + vAcross * vSide);
  if (vAcross != 0.0) normal = normalize(vAcross * vSide + sqrt(max(0.0, 1.0 - vAcross * vAcross)) * normalize(vNormal));
  vec3 colour = vColour;
  if (uPaint > 0.5 && dot(normal, vMark) > 0.93) colour = mix(colour, vec3(1.0), 0.75);
  gl_FragColor = vec4(lit(colour, normal), 1.0);
}`;

// Balls, with two great circles that show how they turn.
export const ballVertex = /* glsl */ `${common}
attribute float aNode;
varying vec3 vAt, vColour, vNormal, vOwn;
void main() {
  vec4 place = fetchNode(uPlace, aNode), self = fetchNode(uFixed, aNode);
  vOwn = position;
  vNormal = turned(fetchNode(uTurn, aNode), position);
  vAt = place.xyz + seenRadius(self.x, place.xyz) * vNormal;
  vColour = colourOf(place.w, self.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(vAt, 1.0);
}`;
export const ballFragment = /* glsl */ `${common}${light}
varying vec3 vNormal, vOwn;
void main() {
  cutOff();
  vec3 own = normalize(vOwn), colour = vColour;
  if (uPaint > 0.5 && min(abs(own.x), abs(own.z)) < 0.05) colour = mix(colour, vec3(1.0), 0.6);
  gl_FragColor = vec4(lit(colour, normalize(vNormal)), 1.0);
}`;

// Surfaces, flat between their edges.
export const surfaceVertex = /* glsl */ `${common}
attribute float aNode;
varying vec3 vAt, vColour;
void main() {
  vAt = position;
  vColour = colourOf(fetchNode(uPlace, aNode).w, fetchNode(uFixed, aNode).y);
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;
export const surfaceFragment = /* glsl */ `${common}${light}
uniform float uOpacity;
void main() {
  cutOff();
  vec3 normal = normalize(cross(dFdx(vAt), dFdy(vAt)));
  if (dot(normal, uEye - vAt) < 0.0) normal = -normal;
  gl_FragColor = vec4(lit(vColour, normal), uOpacity);
}`;
