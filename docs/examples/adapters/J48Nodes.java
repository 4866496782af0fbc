import java.io.*;
import java.lang.reflect.Field;
import java.util.*;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.j48.*;
import weka.core.*;

/** Reads lines with a file and the least number of rows, and writes the nodes of J48's unpruned tree, in preorder. */
public class J48Nodes {
  private final List<String> nodes = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String job = jobs.readLine(); job != null; job = jobs.readLine()) {
      String[] parts = job.split("\t");
      Instances rows = new Instances(new BufferedReader(new FileReader(parts[0])));
      rows.setClassIndex(rows.numAttributes() - 1);
      J48 learner = new J48();
      learner.setOptions(new String[] {"-U", "-M", parts[1]});
      learner.buildClassifier(rows);
      J48Nodes found = new J48Nodes();
      found.add((ClassifierTree) of(learner, "m_root"), null, 0);
      System.out.println(found.nodes);
    }
  }

  /** A node and those below it; an empty leaf answers as its branch of the node above does. */
  private void add(ClassifierTree tree, ClassifierSplitModel above, int branch) throws Exception {
    ClassifierSplitModel model = (ClassifierSplitModel) of(tree, "m_localModel");
    Distribution held = model.distribution();
    List<Object> counts = new ArrayList<>(), sons = new ArrayList<>(), shares = new ArrayList<>();
    for (int k = 0; k < held.numClasses(); k++) counts.add(held.perClass(k));
    boolean empty = (Boolean) of(tree, "m_isEmpty") && above != null;
    int label = empty ? above.distribution().maxClass(branch) : held.maxClass(), here = nodes.size();
    nodes.add("");
    String said = "\"counts\": " + counts + ", \"label\": " + label;
    if (!(Boolean) of(tree, "m_isLeaf")) {
      ClassifierTree[] below = (ClassifierTree[]) of(tree, "m_sons");
      for (int i = 0; i < below.length; i++) {
        shares.add(held.perBag(i) / held.total());
        sons.add(nodes.size());
        add(below[i], model, i);
      }
      double point = (Double) of(model, "m_splitPoint");
      said += ", \"attribute\": " + of(model, "m_attIndex") + ", \"sons\": " + sons + ", \"shares\": " + shares;
      if (point < Double.MAX_VALUE) said += ", \"point\": " + point;
    }
    nodes.set(here, "{" + said + "}");
  }

  /** What an object keeps to itself. */
  private static Object of(Object object, String name) throws Exception {
    for (Class<?> kind = object.getClass(); kind != null; kind = kind.getSuperclass()) {
      try {
        Field field = kind.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
      } catch (NoSuchFieldException error) {
        continue;
      }
    }
    throw new NoSuchFieldException(name);
  }
}
