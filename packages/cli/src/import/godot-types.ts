/**
 * What the importer must know about the types of Godot's nodes.
 */

/** Types that are only a node of the tree. */
const plainTypes = new Set(["Node", "Node2D", "Node3D", "Spatial"]);

/** 2D types whose name does not say so. */
const types2D = new Set([
  "AnimatedSprite",
  "BackBufferCopy",
  "CanvasGroup",
  "CanvasModulate",
  "ParallaxLayer",
  "Sprite",
  "TileMap",
  "TileMapLayer",
  "TouchScreenButton",
  "YSort",
]);

/** Independent layers, which no parent moves. */
const layerTypes = new Set(["CanvasLayer", "ParallaxBackground"]);

/** Types without a transform; for a type that is not listed, such as a custom one, this is unknown. */
const typesWithoutTransform = new Set([
  "AnimationPlayer",
  "AnimationTree",
  "AudioStreamPlayer",
  "HTTPRequest",
  "MultiplayerSpawner",
  "MultiplayerSynchronizer",
  "Node",
  "ResourcePreloader",
  "SubViewport",
  "Timer",
  "Tween",
  "Viewport",
  "Window",
  "WorldEnvironment",
]);

/** 3D types of Godot 3, whose names do not say so. */
const spatialTypes = new Set([
  "ARVRCamera",
  "ARVRController",
  "ARVROrigin",
  "Area",
  "BoneAttachment",
  "CPUParticles",
  "CSGBox",
  "CSGCombiner",
  "CSGCylinder",
  "CSGMesh",
  "CSGPolygon",
  "CSGSphere",
  "CSGTorus",
  "Camera",
  "CollisionPolygon",
  "CollisionShape",
  "DirectionalLight",
  "GIProbe",
  "GridMap",
  "ImmediateGeometry",
  "InterpolatedCamera",
  "KinematicBody",
  "MeshInstance",
  "MultiMeshInstance",
  "NavigationMeshInstance",
  "OmniLight",
  "Particles",
  "Path",
  "PathFollow",
  "PhysicalBone",
  "Position3D",
  "RayCast",
  "ReflectionProbe",
  "RemoteTransform",
  "RigidBody",
  "Skeleton",
  "Spatial",
  "SpotLight",
  "SpringArm",
  "StaticBody",
  "VehicleBody",
  "VehicleWheel",
  "VisibilityEnabler",
  "VisibilityNotifier",
]);

/** Widgets. Custom ones have other names, and only their base type identifies them. */
const controlTypes = new Set([
  "AspectRatioContainer",
  "BoxContainer",
  "Button",
  "CenterContainer",
  "CheckBox",
  "CheckButton",
  "CodeEdit",
  "ColorPicker",
  "ColorPickerButton",
  "ColorRect",
  "Container",
  "Control",
  "FlowContainer",
  "GraphEdit",
  "GraphNode",
  "GridContainer",
  "HBoxContainer",
  "HFlowContainer",
  "HScrollBar",
  "HSeparator",
  "HSlider",
  "HSplitContainer",
  "ItemList",
  "Label",
  "LineEdit",
  "LinkButton",
  "MarginContainer",
  "MenuBar",
  "MenuButton",
  "NinePatchRect",
  "OptionButton",
  "Panel",
  "PanelContainer",
  "ProgressBar",
  "ReferenceRect",
  "RichTextLabel",
  "ScrollContainer",
  "SpinBox",
  "SplitContainer",
  "SubViewportContainer",
  "TabBar",
  "TabContainer",
  "TextEdit",
  "TextureButton",
  "TextureProgressBar",
  "TextureRect",
  "Tree",
  "VBoxContainer",
  "VFlowContainer",
  "VScrollBar",
  "VSeparator",
  "VSlider",
  "VSplitContainer",
  "VideoStreamPlayer",
]);

/** Windows that programs open: initially hidden. */
const hiddenTypes = new Set([
  "AcceptDialog",
  "ConfirmationDialog",
  "FileDialog",
  "Popup",
  "PopupDialog",
  "PopupMenu",
  "PopupPanel",
  "WindowDialog",
]);

export function isSpatial(type: string): boolean {
  return (type.endsWith("3D") && type !== "NavigationAgent3D") || spatialTypes.has(type);
}

export function isControl(type: string): boolean {
  return controlTypes.has(type);
}

export function isHiddenAtFirst(type: string): boolean {
  return hiddenTypes.has(type);
}

export function isPlain(type: string): boolean {
  return plainTypes.has(type);
}

/** Whether nodes of that type have a 2D transform. */
export function is2D(type: string): boolean {
  return type.endsWith("2D") || types2D.has(type) || layerTypes.has(type);
}

export function isLayer(type: string): boolean {
  return layerTypes.has(type);
}

/** Whether it is shown or hidden independently of its parents, and hides its content. */
export function isWindow(type: string): boolean {
  return type === "Window";
}

export function lacksTransform(type: string): boolean {
  return typesWithoutTransform.has(type);
}
